package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.CircuitOpenException;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.RateExceededException;
import dev.recloser.RejectedException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Those of the known faults, by their rows, that concern several strategies together. The others stand with their strategies. */
class StrategyCasesTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();

    private PipelineBuilder<String> builder() {
        return Pipeline.<String>named("p").time(time);
    }

    /** Row 22. */
    @ParameterizedTest
    @MethodSource(MODES)
    void retryAroundAnOpenCircuitIsOneRejectionWithoutWaiting(CallMode mode) {
        Pipeline<String> pipeline = builder()
                .retry(r -> r.maxRetries(5).constantDelay(Duration.ofSeconds(1)))
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .build();
        pipeline.strategy(CircuitBreaker.class).orElseThrow().isolate();
        OngoingCall<String> call = mode.start(pipeline);
        assertThat(call.error()).isInstanceOf(RejectedException.class);
        assertThat(call.attempts()).isZero();
        assertThat(time.elapsed()).isZero();
        assertThat(time.pendingAlarms()).isZero();
    }

    /** Row 32. */
    @ParameterizedTest
    @MethodSource(MODES)
    void waiterOfARateLimiterWhoIsCancelledGivesItsReservationBack(CallMode mode) {
        RateLimiter limiter = RateLimiter.of(
                "rate", r -> r.tokenBucket(1, Duration.ofSeconds(10)).maxWait(Duration.ofSeconds(10)), time);
        Pipeline<String> pipeline = builder().strategy(limiter).build();
        mode.start(pipeline).succeed("took the permit").awaitEnd();
        OngoingCall<String> waiter = mode.start(pipeline);
        assertThat(limiter.snapshot().waiting()).isEqualTo(1);
        assertThat(mode.start(pipeline).error()).isInstanceOf(RateExceededException.class);
        waiter.cancel();
        assertThat(limiter.snapshot().waiting()).isZero();
        OngoingCall<String> next = mode.start(pipeline);
        time.advance(Duration.ofSeconds(10));
        assertThat(next.awaitAttempts(1).succeed(1, "in its place").value()).isEqualTo("in its place");
    }

    /** Row 33. */
    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutsOfADayLeaveNothingBehindWhenTheirCallsFailAtOnce(CallMode mode) {
        Pipeline<String> pipeline = builder()
                .timeout(Duration.ofDays(1))
                .timeout(t -> t.limit(Duration.ofDays(1)).detached())
                .build();
        for (int i = 0; i < 1000; i++) {
            mode.start(pipeline).awaitAttempts(1).fail(1, new IOException()).awaitEnd();
        }
        assertThat(time.pendingAlarms()).isZero();
        assertThat(pipeline.abandoned()).isZero();
    }

    /** Row 35. */
    @ParameterizedTest
    @MethodSource(MODES)
    void limiterInsideABreakerThatRejectsLeavesNoTraceInIt(CallMode mode) {
        List<UnaryOperator<PipelineBuilder<String>>> limiters = List.of(
                p -> p.concurrencyLimiter(1),
                p -> p.adaptiveLimiter(
                        a -> a.latencyGoal(Duration.ofSeconds(1)).maxLimit(1).initialLimit(1)),
                p -> p.rateLimiter(r -> r.tokenBucket(1, Duration.ofMinutes(1))));
        for (UnaryOperator<PipelineBuilder<String>> limiter : limiters) {
            Pipeline<String> pipeline = limiter.apply(builder().circuitBreaker(cb -> cb.openAfterConsecutive(1)))
                    .build();
            OngoingCall<String> holder = mode.start(pipeline);
            assertThat(mode.start(pipeline).error())
                    .isInstanceOfAny(LimitReachedException.class, RateExceededException.class);
            CircuitSnapshot seen =
                    pipeline.strategy(CircuitBreaker.class).orElseThrow().snapshot();
            assertThat(seen.calls()).isZero();
            assertThat(seen.rejected()).isZero();
            holder.succeed("good").awaitEnd();
        }
    }

    /** Row 9d, with a real limiter: the probe that is rejected further in frees its place, and the next call probes. */
    @ParameterizedTest
    @MethodSource(MODES)
    void limiterInsideABreakerThatRejectsTheProbeCausesNoNewBreak(CallMode mode) {
        RateLimiter limiter = RateLimiter.of("rate", r -> r.tokenBucket(1, Duration.ofSeconds(10)), time);
        Pipeline<String> pipeline = builder()
                .circuitBreaker(cb -> cb.openAfterConsecutive(1).breakDuration(Duration.ofSeconds(5)))
                .strategy(limiter)
                .build();
        mode.start(pipeline).fail(new IOException()).awaitEnd();
        assertThat(mode.start(pipeline).error()).isInstanceOf(CircuitOpenException.class);
        time.advance(Duration.ofSeconds(5));
        assertThat(mode.start(pipeline).error()).isInstanceOf(RateExceededException.class);
        assertThat(limiter.acquire(CallContext.named("other"))).isInstanceOf(RateExceededException.class);
        time.advance(Duration.ofSeconds(5));
        assertThat(mode.start(pipeline).succeed("healed").value()).isEqualTo("healed");
        assertThat(pipeline.strategy(CircuitBreaker.class)
                        .orElseThrow()
                        .snapshot()
                        .reopenings())
                .isZero();
    }
}
