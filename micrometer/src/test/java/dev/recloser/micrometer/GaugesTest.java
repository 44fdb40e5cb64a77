package dev.recloser.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.CircuitDriver;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What can be read off at any moment. */
class GaugesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final CallMode MODE = CallMode.PLATFORM_THREAD;

    private final VirtualTime time = VirtualTime.create();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecloserMetrics metrics = RecloserMetrics.of(registry);

    private Map<String, Double> gauges() {
        return Meters.gauges(registry);
    }

    private CircuitBreaker breaker(String name) {
        return CircuitBreaker.<String>of(
                name, cb -> cb.failureRatio(0.9).minimumThroughput(10).breakDuration(SECOND), time);
    }

    @Test
    void stateOfACircuitIsZeroOneTwoOrThree() {
        CircuitBreaker breaker = breaker("cb");
        metrics.bind(breaker);
        CircuitDriver driver = CircuitDriver.of(breaker, time);
        String state = "recloser.circuit.state{pipeline=cb, strategy=cb}";
        assertThat(gauges()).containsEntry(state, 0.0);
        driver.open();
        assertThat(gauges()).containsEntry(state, 2.0);
        driver.halfOpen();
        assertThat(gauges()).containsEntry(state, 1.0);
        driver.isolate();
        assertThat(gauges()).containsEntry(state, 3.0);
    }

    @Test
    void ratioIsFailuresByCalls() throws Exception {
        CircuitBreaker breaker = breaker("cb");
        metrics.bind(breaker);
        breaker.call(() -> "fine");
        assertThat(breaker.callAsync(() -> CompletableFuture.failedFuture(new IOException("down"))))
                .isCompletedExceptionally();
        assertThat(gauges()).containsEntry("recloser.circuit.ratio{pipeline=cb, strategy=cb}", 0.5);
    }

    @Test
    void limiterShowsWhatRunsWaitsAndMayRun() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .concurrencyLimiter(l -> l.maxConcurrent(2).queue(5).maxWait(SECOND))
                .build();
        metrics.bind(pipeline);
        OngoingCall<String> first = MODE.start(pipeline);
        OngoingCall<String> second = MODE.start(pipeline);
        OngoingCall<String> third = MODE.start(pipeline);
        String tags = "{pipeline=p, strategy=concurrencyLimiter}";
        assertThat(gauges())
                .containsOnly(
                        entry("recloser.limiter.inflight" + tags, 2.0),
                        entry("recloser.limiter.queued" + tags, 1.0),
                        entry("recloser.limiter.limit" + tags, 2.0),
                        entry("recloser.pipeline.abandoned{pipeline=p}", 0.0));
        first.succeed("fine");
        second.succeed("fine");
        third.awaitAttempts(1).succeed("fine");
        assertThat(gauges()).containsEntry("recloser.limiter.inflight" + tags, 0.0);
    }

    @Test
    void adaptiveLimiterShowsItsLimit() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .adaptiveLimiter(l -> l.latencyGoal(SECOND).initialLimit(7))
                .build();
        metrics.bind(pipeline);
        String name = pipeline.strategy(AdaptiveLimiter.class).orElseThrow().name();
        assertThat(gauges()).containsEntry("recloser.limiter.limit{pipeline=p, strategy=" + name + "}", 7.0);
    }

    @Test
    void workThatIsLeftBehindIsAbandoned() {
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").time(time).timeout(SECOND).build();
        metrics.bind(pipeline);
        CompletableFuture<String> deaf = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return false;
            }
        };
        CompletableFuture<String> call = pipeline.callAsync(() -> deaf);
        time.advance(SECOND);
        assertThat(call).isCompletedExceptionally();
        assertThat(gauges()).containsEntry("recloser.pipeline.abandoned{pipeline=p}", 1.0);
        assertThat(Meters.counts(registry, RecloserMeter.EVENTS))
                .containsOnly(
                        entry("{event=abandoned, strategy=timeout}", 1.0),
                        entry("{event=timed_out, strategy=timeout}", 1.0));
        deaf.complete("at last");
        assertThat(gauges()).containsEntry("recloser.pipeline.abandoned{pipeline=p}", 0.0);
    }

    @Test
    void pipelinesOfOneNameShowTheSumOfTheirLimitersAndTheWorstOfTheirCircuits() {
        CircuitBreaker good = breaker("cb");
        CircuitBreaker bad = breaker("cb");
        CircuitDriver.of(bad, time).open();
        Registration first = metrics.bind(limited(3, bad));
        metrics.bind(limited(4, good));

        String limit = "recloser.limiter.limit{pipeline=p, strategy=concurrencyLimiter}";
        String state = "recloser.circuit.state{pipeline=p, strategy=cb}";
        assertThat(gauges()).containsEntry(limit, 7.0).containsEntry(state, 2.0);
        first.remove();
        assertThat(gauges()).containsEntry(limit, 4.0).containsEntry(state, 0.0);
    }

    private Pipeline<String> limited(int permits, CircuitBreaker breaker) {
        return Pipeline.<String>named("p")
                .time(time)
                .concurrencyLimiter(permits)
                .strategy(breaker)
                .build();
    }

    @Test
    void limiterThatTwoPipelinesOfOneNameShareIsSummedOnce() {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of("shared", l -> l.maxConcurrent(5));
        metrics.bind(Pipeline.<String>named("p").strategy(limiter).build());
        metrics.bind(Pipeline.<String>named("p").strategy(limiter).build());
        assertThat(gauges()).containsEntry("recloser.limiter.limit{pipeline=p, strategy=shared}", 5.0);
    }

    @Test
    void nobodyNeedsToKeepTheMetricsForTheGaugesToShow() {
        RecloserMetrics.of(registry).bind(breaker("kept"));
        System.gc();
        assertThat(gauges()).containsEntry("recloser.circuit.state{pipeline=kept, strategy=kept}", 0.0);
    }
}
