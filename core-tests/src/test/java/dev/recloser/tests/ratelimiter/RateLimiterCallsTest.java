package dev.recloser.tests.ratelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.RateExceededException;
import dev.recloser.RejectedException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.spi.Strategy;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole calls through a rate limiter that lets nobody wait. */
class RateLimiterCallsTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();
    private final RateLimiter limiter = RateLimiter.of("orders", r -> r.slidingWindow(1, Duration.ofSeconds(1)), time);
    private final CircuitBreaker breaker = CircuitBreaker.of(
            "breaker", new CircuitBreakerBuilder<>().minimumThroughput(1).build(), time);

    /** Of these strategies, outermost first. */
    private Pipeline<String> pipeline(Strategy... strategies) {
        PipelineBuilder<String> builder = Pipeline.<String>named("p").time(time);
        for (Strategy strategy : strategies) {
            builder.strategy(strategy, Classifier.defaults());
        }
        return builder.build();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callBeyondTheRateIsRejectedAndItsWorkNotBegun(CallMode mode) {
        Pipeline<String> pipeline = pipeline(limiter);
        assertThat(mode.start(pipeline).succeed("first").value()).isEqualTo("first");
        OngoingCall<String> second = mode.start(pipeline);
        assertThat(second.error())
                .isInstanceOf(RateExceededException.class)
                .hasMessage("p: orders: the permitted rate is exceeded; retry after 1000 ms");
        assertThat(second.attempts()).isZero();
        time.advance(Duration.ofSeconds(1));
        assertThat(mode.start(pipeline).succeed("third").value()).isEqualTo("third");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThatFailsHasSpentItsPermit(CallMode mode) {
        Pipeline<String> pipeline = pipeline(limiter);
        assertThat(mode.start(pipeline).fail(new IOException("down")).error()).isInstanceOf(IOException.class);
        assertThat(mode.start(pipeline).error()).isInstanceOf(RateExceededException.class);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThatIsRejectedFurtherInGivesItsPermitBack(CallMode mode) {
        Pipeline<String> pipeline = pipeline(limiter, breaker);
        breaker.isolate();
        for (int i = 0; i < 3; i++) {
            assertThat(mode.start(pipeline).error())
                    .isInstanceOf(RejectedException.class)
                    .isNotInstanceOf(RateExceededException.class);
        }
        assertThat(limiter.snapshot().unused()).isEqualTo(3);
        breaker.close();
        assertThat(mode.start(pipeline).succeed("value").value()).isEqualTo("value");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerAroundTheLimiterRecordsNothingOfARejectedCall(CallMode mode) {
        Pipeline<String> pipeline = pipeline(breaker, limiter);
        assertThat(mode.start(pipeline).succeed("first").value()).isEqualTo("first");
        assertThat(mode.start(pipeline).error()).isInstanceOf(RateExceededException.class);
        assertThat(breaker.snapshot().calls()).isEqualTo(1);
        assertThat(breaker.snapshot().failures()).isZero();
    }
}
