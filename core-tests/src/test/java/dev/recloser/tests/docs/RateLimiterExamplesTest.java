package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.RateExceededException;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.ratelimiter.RateLimiterSnapshot;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of docs/rate-limiter.md, as they stand there; {@link DocumentedCodeTest} sees to that. */
class RateLimiterExamplesTest {

    private final List<String> log = new ArrayList<>();
    private final Geocoder service = new Geocoder();

    /** The dependency of the examples. */
    private static final class Geocoder {

        String locate(String address) {
            return address + " is here";
        }
    }

    @Test
    void limiterInAPipeline() throws Exception {
        Pipeline<String> geocoder = Pipeline.<String>named("geocoder")
                .rateLimiter(r -> r.tokenBucket(50, Duration.ofSeconds(1)).burst(10))
                .timeout(Duration.ofSeconds(1))
                .build();
        assertThat(geocoder.call(() -> service.locate("Main Street"))).isEqualTo("Main Street is here");
    }

    @Test
    void rejectedCaller() throws Exception {
        String address = "Main Street";
        Pipeline<String> geocoder = Pipeline.<String>named("geocoder")
                .time(VirtualTime.create())
                .rateLimiter(r -> r.slidingWindow(1, Duration.ofSeconds(1)))
                .build();
        assertThat(geocoder.call(() -> service.locate(address))).isEqualTo("Main Street is here");

        String answer;
        try {
            answer = geocoder.call(() -> service.locate(address));
        } catch (RateExceededException exceeded) {
            answer = "ask again in " + exceeded.retryAfter().orElseThrow().toMillis() + " ms";
        }

        assertThat(answer).isEqualTo("ask again in 1000 ms");

        RateLimiter limiter = geocoder.strategy(RateLimiter.class).orElseThrow();
        RateLimiterSnapshot seen = limiter.snapshot();
        log.add(seen.available() + " free, " + seen.waiting() + " waiting, " + seen.rejected() + " rejected");
        assertThat(log).containsExactly("0 free, 0 waiting, 1 rejected");
    }
}
