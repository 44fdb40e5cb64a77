package dev.recloser.micrometer;

import static dev.recloser.micrometer.RecloserMeter.ATTEMPT_DURATION;
import static dev.recloser.micrometer.RecloserMeter.EVENTS;
import static dev.recloser.micrometer.RecloserMeter.PIPELINE_DURATION;
import static dev.recloser.micrometer.RecloserMeter.REJECTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.CircuitDriver;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the meters say of calls, in every way of calling. */
class CallMetersTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecloserMetrics metrics = RecloserMetrics.of(registry);

    private Pipeline<String> bound(UnaryOperator<PipelineBuilder<String>> strategies) {
        Pipeline<String> pipeline =
                strategies.apply(Pipeline.<String>named("p").time(time)).build();
        metrics.bind(pipeline);
        return pipeline;
    }

    private Map<String, Double> counts(RecloserMeter meter) {
        return Meters.counts(registry, meter);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void successIsMeasuredAsACallAndAnAttemptAndNothingElse(CallMode mode) {
        OngoingCall<String> call = mode.start(bound(p -> p.retry(r -> {}).timeout(SECOND.multipliedBy(9))));
        time.advance(SECOND.multipliedBy(2));
        call.succeed("fine");

        assertThat(Meters.counts(registry))
                .containsOnly(
                        entry("recloser.pipeline.duration{outcome=success, pipeline=p}", 1.0),
                        entry("recloser.attempt.duration{attempt=first, outcome=success, pipeline=p}", 1.0));
        assertThat(Meters.seconds(registry, PIPELINE_DURATION)).containsValue(2.0);
        assertThat(Meters.seconds(registry, ATTEMPT_DURATION)).containsValue(2.0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callWithARetryHasTwoAttemptsAndLastsAsLongAsTheyAndTheDelay(CallMode mode) {
        OngoingCall<String> call = mode.start(bound(p -> p.retry(r -> r.constantDelay(SECOND.multipliedBy(5)))));
        time.advance(SECOND);
        call.fail(new IOException("down"));
        time.advance(SECOND.multipliedBy(5));
        call.awaitAttempts(2);
        time.advance(SECOND.multipliedBy(3));
        call.succeed("fine");

        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 1.0));
        assertThat(Meters.seconds(registry, PIPELINE_DURATION)).containsValue(9.0);
        assertThat(Meters.seconds(registry, ATTEMPT_DURATION))
                .containsOnly(
                        entry("recloser.attempt.duration{attempt=first, outcome=failure, pipeline=p}", 1.0),
                        entry("recloser.attempt.duration{attempt=retry, outcome=success, pipeline=p}", 3.0));
        assertThat(counts(EVENTS)).containsOnly(entry("{event=retry, strategy=retry}", 1.0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void retriesThatAreUsedUpAreCounted(CallMode mode) {
        OngoingCall<String> call =
                mode.start(bound(p -> p.retry(r -> r.maxRetries(2).constantDelay(SECOND))));
        for (int attempt = 1; attempt <= 3; attempt++) {
            call.awaitAttempts(attempt).fail(new IOException("down"));
            time.advance(SECOND);
        }
        call.awaitEnd();

        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=failure}", 1.0));
        assertThat(counts(ATTEMPT_DURATION))
                .containsOnly(
                        entry("{attempt=first, outcome=failure}", 1.0), entry("{attempt=retry, outcome=failure}", 2.0));
        assertThat(counts(EVENTS))
                .containsOnly(
                        entry("{event=retry, strategy=retry}", 2.0),
                        entry("{event=retries_exhausted, strategy=retry}", 1.0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void hedgeThatWinsIsASuccessAndWhatItOvertookIsCancelled(CallMode mode) {
        OngoingCall<String> call = mode.start(bound(p -> p.hedging(h -> h.delay(SECOND))));
        call.awaitAttempts(1);
        time.advance(SECOND);
        call.awaitAttempts(2).succeed(2, "the second");
        assertThat(call.value()).isEqualTo("the second");
        Await.until(() -> counts(ATTEMPT_DURATION).size() == 2);

        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 1.0));
        assertThat(counts(ATTEMPT_DURATION))
                .containsOnly(
                        entry("{attempt=first, outcome=cancelled}", 1.0),
                        entry("{attempt=hedge, outcome=success}", 1.0));
        assertThat(counts(EVENTS)).containsOnly(entry("{event=hedge, strategy=hedging}", 1.0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void openCircuitsRejectionIsACallWithoutAnAttempt(CallMode mode) {
        Pipeline<String> pipeline = bound(p -> p.circuitBreaker(cb -> cb.breakDuration(SECOND)));
        CircuitBreaker breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow();
        CircuitDriver driver = CircuitDriver.of(breaker, time).open();
        mode.start(pipeline).awaitEnd();
        mode.start(pipeline).awaitEnd();

        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=rejected}", 2.0));
        assertThat(counts(ATTEMPT_DURATION)).isEmpty();
        assertThat(counts(REJECTIONS))
                .containsOnly(entry("{reason=circuit_open, strategy=" + breaker.name() + "}", 2.0));

        driver.isolate();
        mode.start(pipeline).awaitEnd();
        assertThat(counts(REJECTIONS)).containsEntry("{reason=circuit_isolated, strategy=" + breaker.name() + "}", 1.0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void transitionsOfACircuitAreCounted(CallMode mode) {
        Pipeline<String> pipeline = bound(p ->
                p.circuitBreaker(cb -> cb.failureRatio(0.5).minimumThroughput(2).breakDuration(SECOND)));
        CircuitBreaker breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow();
        OngoingCall<String> late = mode.start(pipeline);
        mode.start(pipeline).fail(new IOException("down"));
        mode.start(pipeline).fail(new IOException("down"));
        late.succeed("late");
        time.advance(SECOND);
        mode.start(pipeline).succeed("healed");
        breaker.isolate();
        breaker.close();

        String tags = ", strategy=" + breaker.name() + "}";
        assertThat(counts(EVENTS))
                .containsOnly(
                        entry("{event=opened" + tags, 1.0),
                        entry("{event=late" + tags, 1.0),
                        entry("{event=half_opened" + tags, 1.0),
                        entry("{event=closed" + tags, 2.0),
                        entry("{event=isolated" + tags, 1.0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void lostProbeIsCounted(CallMode mode) {
        Pipeline<String> pipeline =
                bound(p -> p.circuitBreaker(cb -> cb.breakDuration(SECOND).probeLease(SECOND.multipliedBy(2))));
        CircuitBreaker breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow();
        CircuitDriver.of(breaker, time).open();
        time.advance(SECOND);
        OngoingCall<String> probe = mode.start(pipeline);
        time.advance(SECOND.multipliedBy(2));
        OngoingCall<String> next = mode.start(pipeline);

        assertThat(counts(EVENTS)).containsEntry("{event=probe_lost, strategy=" + breaker.name() + "}", 1.0);
        next.succeed("fine");
        probe.succeed("fine");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void fullLimitersRejectionIsCounted(CallMode mode) {
        Pipeline<String> pipeline = bound(p -> p.concurrencyLimiter(1));
        OngoingCall<String> first = mode.start(pipeline);
        mode.start(pipeline).awaitEnd();
        first.succeed("fine");

        assertThat(counts(REJECTIONS)).containsOnly(entry("{reason=limit_reached, strategy=concurrencyLimiter}", 1.0));
        assertThat(counts(PIPELINE_DURATION))
                .containsOnly(entry("{outcome=rejected}", 1.0), entry("{outcome=success}", 1.0));
        assertThat(counts(ATTEMPT_DURATION)).containsOnly(entry("{attempt=first, outcome=success}", 1.0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void exceededRateIsCounted(CallMode mode) {
        Pipeline<String> pipeline = bound(p -> p.rateLimiter(r -> r.slidingWindow(1, SECOND)));
        mode.start(pipeline).succeed("fine");
        mode.start(pipeline).awaitEnd();

        assertThat(counts(REJECTIONS)).containsOnly(entry("{reason=rate_exceeded, strategy=rateLimiter}", 1.0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutIsAnOutcomeAndAnEventAndNoRejection(CallMode mode) {
        OngoingCall<String> call = mode.start(bound(p -> p.timeout(SECOND)));
        time.advance(SECOND);
        call.awaitEnd();

        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=timed_out}", 1.0));
        assertThat(counts(ATTEMPT_DURATION)).containsOnly(entry("{attempt=first, outcome=timed_out}", 1.0));
        assertThat(counts(EVENTS)).containsEntry("{event=timed_out, strategy=timeout}", 1.0);
        assertThat(counts(REJECTIONS)).isEmpty();
        assertThat(Meters.seconds(registry, PIPELINE_DURATION)).containsValue(1.0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThatItsCallerCancelsIsCancelled(CallMode mode) {
        OngoingCall<String> call = mode.start(bound(p -> p.timeout(SECOND.multipliedBy(9))));
        call.cancel().awaitEnd();

        Await.until(() -> !counts(PIPELINE_DURATION).isEmpty());
        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=cancelled}", 1.0));
        assertThat(counts(ATTEMPT_DURATION)).containsOnly(entry("{attempt=first, outcome=cancelled}", 1.0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void fallbackTurnsAFailureIntoASuccessAndIsCounted(CallMode mode) {
        OngoingCall<String> call = mode.start(bound(p -> p.fallback(f -> f.value("instead"))));
        assertThat(call.fail(new IOException("down")).value()).isEqualTo("instead");

        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 1.0));
        assertThat(counts(ATTEMPT_DURATION)).containsOnly(entry("{attempt=first, outcome=failure}", 1.0));
        assertThat(counts(EVENTS)).containsOnly(entry("{event=fallback, strategy=fallback}", 1.0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void exceptionThatNoStrategyCountsIsIgnored(CallMode mode) {
        Pipeline<String> pipeline = bound(p -> p.retry(r -> r.ignore(IllegalArgumentException.class)));
        mode.start(pipeline).fail(new IllegalArgumentException("the caller's mistake"));

        assertThat(counts(PIPELINE_DURATION)).containsOnly(entry("{outcome=ignored}", 1.0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callsBeforeTheBindingAreNotMeasured(CallMode mode) {
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").time(time).timeout(SECOND).build();
        OngoingCall<String> before = mode.start(pipeline);
        metrics.bind(pipeline);
        before.succeed("fine");
        assertThat(counts(PIPELINE_DURATION)).isEmpty();
    }
}
