package dev.recloser.tests.ratelimiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recloser.SettingsException;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.ratelimiter.RateLimiterBuilder;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What can be set, and how it is shown. */
class RateLimiterSettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private static RateLimiter limiter(Consumer<RateLimiterBuilder> settings) {
        return RateLimiter.of("orders", settings, VirtualTime.create());
    }

    private static List<String> problems(Consumer<RateLimiterBuilder> settings) {
        return catchThrowableOfType(SettingsException.class, () -> limiter(settings)).problems().stream()
                .map(problem -> problem.toString())
                .toList();
    }

    @Test
    void kindMustBeChosen() {
        assertThat(problems(r -> r.maxWait(SECOND)))
                .containsExactly("tokenBucket or slidingWindow is not set, must be set");
        assertThat(problems(r -> r.tokenBucket(1, SECOND).slidingWindow(1, SECOND)))
                .containsExactly("tokenBucket and slidingWindow is set together, must be only one of them");
    }

    @Test
    void everythingWrongIsFoundAtOnce() {
        assertThat(problems(r -> r.tokenBucket(0, Duration.ZERO).burst(0).maxWait(DAY.plusNanos(1))))
                .containsExactly(
                        "tokenBucket permits is 0, must be from 1 to 1000000000",
                        "tokenBucket per is 0 s, must be from 1000 ns to 1 d",
                        "burst is 0, must be from 1 to 1000000000",
                        "maxWait is 86400000000001 ns, must be from 0 s to 1 d");
        assertThat(problems(
                        r -> r.slidingWindow(100_001, DAY.plusNanos(1)).burst(3).maxWait(SECOND.negated())))
                .containsExactly(
                        "burst is 3, must be set together with tokenBucket",
                        "slidingWindow limit is 100001, must be from 1 to 100000",
                        "slidingWindow span is 86400000000001 ns, must be from 1000 ns to 1 d",
                        "maxWait is -1 s, must be from 0 s to 1 d");
    }

    @Test
    void burstThatNobodySetIsNoSecondProblem() {
        assertThat(problems(r -> r.tokenBucket(0, SECOND)))
                .containsExactly("tokenBucket permits is 0, must be from 1 to 1000000000");
    }

    @Test
    void bucketGetsAtMostOnePermitInANanosecondAndFillsWithin100Years() {
        assertThat(problems(r -> r.tokenBucket(1001, Duration.ofNanos(1000))))
                .containsExactly("tokenBucket permits is 1001, must be from 1 to 1000");
        assertThat(problems(r -> r.tokenBucket(1, DAY).burst(36_501)))
                .containsExactly("burst is 36501, must be from 1 to 36500");
    }

    @Test
    void extremesCanBeBuilt() {
        assertThat(limiter(r -> r.tokenBucket(1, DAY).burst(36_500)).snapshot().available())
                .isEqualTo(36_500);
        assertThat(limiter(r -> r.tokenBucket(1_000_000_000, SECOND)).snapshot().available())
                .isEqualTo(1_000_000_000);
        assertThat(limiter(r -> r.tokenBucket(1_000_000_000, DAY).maxWait(DAY))
                        .snapshot()
                        .available())
                .isEqualTo(1_000_000_000);
        assertThat(limiter(r -> r.slidingWindow(100_000, DAY)).snapshot().available())
                .isEqualTo(100_000);
    }

    @Test
    void settingsAreReadable() {
        RateLimiter bucket = limiter(r -> r.tokenBucket(10, SECOND));
        assertThat(bucket).hasToString("rateLimiter orders (tokenBucket 10 per 1 s, burst 10, maxWait 0 s)");
        assertThat(bucket.settings().toString()).isEqualTo("{tokenBucket=10 per 1 s, burst=10, maxWait=0 s}");
        RateLimiter window =
                limiter(r -> r.slidingWindow(5, Duration.ofMillis(1500)).maxWait(SECOND));
        assertThat(window).hasToString("rateLimiter orders (slidingWindow 5 in any 1500 ms, maxWait 1 s)");
        assertThat(window.settings().toString()).isEqualTo("{slidingWindow=5 in any 1500 ms, maxWait=1 s}");
        assertThat(window.name()).isEqualTo("orders");
    }
}
