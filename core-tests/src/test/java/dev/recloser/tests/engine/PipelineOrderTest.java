package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.RejectedException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the order of strategies means: the table in docs/pipelines.md. */
class PipelineOrderTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();

    private PipelineBuilder<String> pipeline() {
        return Pipeline.<String>named("p").time(time);
    }

    private static CircuitSnapshot circuit(Pipeline<String> pipeline) {
        return pipeline.strategy(CircuitBreaker.class).orElseThrow().snapshot();
    }

    private static int inFlight(Pipeline<String> pipeline) {
        return pipeline.strategy(ConcurrencyLimiter.class)
                .orElseThrow()
                .snapshot()
                .inFlight();
    }

    /** A call of which every attempt fails. */
    private static OngoingCall<String> failing(CallMode mode, Pipeline<String> pipeline, int attempts) {
        OngoingCall<String> call = mode.start(pipeline);
        for (int i = 1; i <= attempts; i++) {
            call.awaitAttempts(i).fail(i, new IOException("attempt " + i));
        }
        return call.awaitEnd();
    }

    // ---- breaker and retry

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerInsideTheRetrySeesAttempts(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .retry(r -> r.maxRetries(2).constantDelay(Duration.ZERO))
                .circuitBreaker(cb -> {})
                .build();
        failing(mode, pipeline, 3);
        assertThat(circuit(pipeline).failures()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerAroundTheRetrySeesTheWholeCall(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .circuitBreaker(cb -> {})
                .retry(r -> r.maxRetries(2).constantDelay(Duration.ZERO))
                .build();
        failing(mode, pipeline, 3);
        assertThat(circuit(pipeline).failures()).isEqualTo(1);
    }

    // ---- timeout and retry

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutInsideTheRetryBoundsEachAttempt(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO))
                .timeout(SECOND)
                .build();
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        time.advance(SECOND);
        call.awaitAttempts(2);
        assertThat(call.context(2).remaining()).contains(SECOND);
        assertThat(call.succeed(2, "fine").value()).isEqualTo("fine");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutAroundTheRetryBoundsAllAttempts(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .timeout(SECOND.multipliedBy(3))
                .retry(r -> r.maxRetries(5).constantDelay(SECOND))
                .build();
        OngoingCall<String> call =
                mode.start(pipeline).awaitAttempts(1).fail(1, new IOException()).awaitRest();
        time.advance(SECOND);
        call.awaitAttempts(2);
        assertThat(call.context(2).remaining()).contains(SECOND.multipliedBy(2));
        time.advance(SECOND.multipliedBy(2));
        assertThat(call.error()).isInstanceOf(TimedOutException.class);
    }

    // ---- limiters

    @ParameterizedTest
    @MethodSource(MODES)
    void limiterAroundTheRetryHoldsItsPermitDuringTheDelay(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .concurrencyLimiter(1)
                .retry(r -> r.maxRetries(1).constantDelay(SECOND))
                .build();
        OngoingCall<String> call =
                mode.start(pipeline).fail(1, new IOException()).awaitRest();
        assertThat(inFlight(pipeline)).isEqualTo(1);
        time.advance(SECOND);
        call.awaitAttempts(2).succeed(2, "fine").awaitEnd();
        assertThat(inFlight(pipeline)).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void limiterInsideTheRetryHasItsPermitBackDuringTheDelayAndMayRejectTheCallHalfWay(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .retry(r -> r.maxRetries(1).constantDelay(SECOND))
                .concurrencyLimiter(1)
                .build();
        IOException first = new IOException();
        OngoingCall<String> call = mode.start(pipeline).fail(1, first).awaitRest();
        assertThat(inFlight(pipeline)).isZero();
        OngoingCall<String> other = mode.start(pipeline);
        time.advance(SECOND);
        assertThat(call.error()).isInstanceOf(LimitReachedException.class);
        assertThat(((RejectedException) call.error()).earlierFailures()).containsExactly(first);
        assertThat(other.succeed("fine").value()).isEqualTo("fine");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void limitOfATimeoutInsideTheLimiterBeginsWithThePermit(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .concurrencyLimiter(l -> l.maxConcurrent(1).queue(1))
                .timeout(SECOND.multipliedBy(2))
                .build();
        OngoingCall<String> holding = mode.start(pipeline);
        OngoingCall<String> waiting = mode.start(pipeline);
        time.advance(SECOND);
        holding.succeed("fine");
        assertThat(waiting.awaitAttempts(1).context(1).remaining()).contains(SECOND.multipliedBy(2));
        waiting.succeed("fine");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void rateLimiterCountsCallsOutsideTheRetryAndAttemptsInside(CallMode mode) {
        Pipeline<String> calls = pipeline()
                .rateLimiter(r -> r.tokenBucket(10, SECOND))
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO))
                .build();
        Pipeline<String> attempts = pipeline()
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO))
                .rateLimiter(r -> r.tokenBucket(10, SECOND))
                .build();
        failing(mode, calls, 2);
        failing(mode, attempts, 2);
        assertThat(calls.strategy(RateLimiter.class).orElseThrow().snapshot().available())
                .isEqualTo(9);
        assertThat(attempts.strategy(RateLimiter.class).orElseThrow().snapshot().available())
                .isEqualTo(8);
    }

    // ---- fallback

    @ParameterizedTest
    @MethodSource(MODES)
    void fallbackOutermostLeavesTheFailureToTheBreaker(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .fallback(f -> f.value("instead"))
                .circuitBreaker(cb -> {})
                .build();
        assertThat(failing(mode, pipeline, 1).value()).isEqualTo("instead");
        assertThat(circuit(pipeline).failures()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void fallbackInsideHidesTheFailure(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .retry(r -> {})
                .circuitBreaker(cb -> {})
                .fallback(f -> f.value("instead"))
                .build();
        assertThat(failing(mode, pipeline, 1).value()).isEqualTo("instead");
        assertThat(circuit(pipeline).failures()).isZero();
        assertThat(circuit(pipeline).calls()).isEqualTo(1);
    }

    // ---- hedging

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerInsideTheHedgingIgnoresTheLoser(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .hedging(h -> h.delay(SECOND))
                .circuitBreaker(cb -> {})
                .build();
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        time.advance(SECOND);
        call.awaitAttempts(2).succeed(2, "fine").awaitEnd();
        while (pipeline.abandoned() > 0) {
            Thread.onSpinWait();
        }
        assertThat(circuit(pipeline).calls()).isEqualTo(1);
        assertThat(circuit(pipeline).failures()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerAroundTheHedgingSeesOneFailureWhenAllAttemptsFail(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .circuitBreaker(cb -> {})
                .hedging(h -> h.delay(SECOND))
                .build();
        failing(mode, pipeline, 2);
        assertThat(circuit(pipeline).failures()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void openCircuitInsideTheHedgingLetsNoHedgeThrough(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .hedging(h -> h.delay(SECOND))
                .circuitBreaker(cb -> {})
                .build();
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        pipeline.strategy(CircuitBreaker.class).orElseThrow().isolate();
        time.advance(SECOND);
        assertThat(call.succeed(1, "fine").value()).isEqualTo("fine");
        assertThat(call.attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptsOfRetriesInsideAHedgingMultiply(CallMode mode) {
        Pipeline<String> pipeline = pipeline()
                .hedging(h -> h.delay(SECOND))
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO))
                .build();
        assertThat(failing(mode, pipeline, 4).attempts()).isEqualTo(4);
    }
}
