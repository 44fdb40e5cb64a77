package dev.recloser.micrometer;

import static dev.recloser.micrometer.RecloserMeter.EVENTS;
import static dev.recloser.micrometer.RecloserMeter.REJECTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import dev.recloser.timeout.Timeout;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Strategies of several names that come and go under one name of a pipeline. */
class StrategyPlacesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** More than are told apart under one name. */
    private static final int TOO_MANY = 250;

    private final VirtualTime time = VirtualTime.create();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecloserMetrics metrics = RecloserMetrics.of(registry);

    private Pipeline<String> pipeline(String breaker) {
        return Pipeline.<String>named("p")
                .time(time)
                .circuitBreaker(CircuitBreaker.<String>of(breaker, cb -> cb.breakDuration(SECOND), time))
                .build();
    }

    private static void isolate(Pipeline<String> pipeline) {
        pipeline.strategy(CircuitBreaker.class).orElseThrow().isolate();
    }

    private Map<String, Double> events() {
        return Meters.counts(registry, EVENTS);
    }

    @Test
    void strategiesBeyondTheMaximumAreCountedTogetherWithoutGauges() {
        for (int i = 0; i < TOO_MANY; i++) {
            Pipeline<String> pipeline = pipeline("tenant-" + i);
            metrics.bind(pipeline);
            isolate(pipeline);
            assertThatThrownBy(() -> pipeline.call(() -> "never")).isNotNull();
        }
        assertThat(events())
                .hasSize(101)
                .containsEntry("{event=isolated, strategy=tenant-99}", 1.0)
                .containsEntry("{event=isolated, strategy=other}", 150.0);
        assertThat(Meters.counts(registry, REJECTIONS))
                .hasSize(101)
                .containsEntry("{reason=circuit_isolated, strategy=tenant-99}", 1.0)
                .containsEntry("{reason=circuit_isolated, strategy=other}", 150.0);
        assertThat(Meters.gauges(registry))
                .hasSize(201)
                .containsEntry("recloser.circuit.state{pipeline=p, strategy=tenant-99}", 3.0);
    }

    @Test
    void strategyThatIsRemovedTakesItsCountersAndGaugesWithIt() {
        Pipeline<String> one = pipeline("a");
        Pipeline<String> two = pipeline("b");
        Registration first = metrics.bind(one);
        metrics.bind(two);
        isolate(one);
        isolate(two);
        assertThatThrownBy(() -> one.call(() -> "never")).isNotNull();
        assertThat(events())
                .containsOnly(entry("{event=isolated, strategy=a}", 1.0), entry("{event=isolated, strategy=b}", 1.0));

        first.remove();
        assertThat(events()).containsOnly(entry("{event=isolated, strategy=b}", 1.0));
        assertThat(Meters.counts(registry, REJECTIONS)).isEmpty();
        assertThat(Meters.gauges(registry).keySet()).noneMatch(gauge -> gauge.contains("strategy=a"));
    }

    @Test
    void strategyKeepsItsCountersUntilTheLastOneOfItsNameIsRemoved() {
        Pipeline<String> one = pipeline("a");
        Pipeline<String> two = pipeline("a");
        Registration first = metrics.bind(one);
        Registration second = metrics.bind(two);
        metrics.bind(pipeline("b"));
        isolate(one);
        first.remove();
        isolate(two);
        assertThat(events()).containsOnly(entry("{event=isolated, strategy=a}", 2.0));
        second.remove();
        assertThat(events()).isEmpty();
    }

    @Test
    void strategyThatIsRemovedMakesRoom() {
        metrics.bind(pipeline("stays"));
        for (int i = 0; i < TOO_MANY; i++) {
            Pipeline<String> pipeline = pipeline("tenant-" + i);
            Registration registration = metrics.bind(pipeline);
            isolate(pipeline);
            assertThat(events()).containsOnly(entry("{event=isolated, strategy=tenant-" + i + "}", 1.0));
            assertThat(Meters.gauges(registry))
                    .containsKey("recloser.circuit.state{pipeline=p, strategy=tenant-" + i + "}");
            registration.remove();
        }
    }

    @Test
    void strategyBeyondTheMaximumThatIsRemovedLeavesTheOthersTheirCounters() {
        List<Registration> registrations = new ArrayList<>();
        for (int i = 0; i < 102; i++) {
            Pipeline<String> pipeline = pipeline("tenant-" + i);
            registrations.add(metrics.bind(pipeline));
            isolate(pipeline);
        }
        registrations.get(101).remove();
        assertThat(events()).hasSize(101).containsEntry("{event=isolated, strategy=other}", 2.0);
        registrations.get(0).remove();
        Pipeline<String> late = pipeline("tenant-101");
        metrics.bind(late);
        isolate(late);
        assertThat(events()).hasSize(101).containsEntry("{event=isolated, strategy=tenant-101}", 1.0);
        registrations.forEach(Registration::remove);
        assertThat(events()).hasSize(2).containsEntry("{event=isolated, strategy=tenant-101}", 1.0);
    }

    @Test
    void limitsThatCallsBringAlongTakeNoPlaceOfAStrategyThatIsBound() {
        Pipeline<String> pipeline = pipeline("stays");
        metrics.bind(pipeline);
        for (int i = 0; i < TOO_MANY; i++) {
            timeOut(pipeline, "limit-" + i);
        }
        assertThat(events()).hasSize(101).containsEntry("{event=timed_out, strategy=other}", 150.0);
        Pipeline<String> late = pipeline("late");
        metrics.bind(late);
        isolate(late);
        assertThat(events()).hasSize(102).containsEntry("{event=isolated, strategy=late}", 1.0);
    }

    @Test
    void nameThatACallBroughtAlongGoesOnCountingWhenItIsBoundAndThenGoesWithThat() {
        Pipeline<String> pipeline = pipeline("stays");
        metrics.bind(pipeline);
        timeOut(pipeline, "a");
        Pipeline<String> bound = pipeline("a");
        Registration registration = metrics.bind(bound);
        isolate(bound);
        assertThat(events())
                .containsOnly(entry("{event=timed_out, strategy=a}", 1.0), entry("{event=isolated, strategy=a}", 1.0));
        registration.remove();
        assertThat(events()).isEmpty();
    }

    private void timeOut(Pipeline<String> pipeline, String limit) {
        OngoingCall<String> call =
                CallMode.PLATFORM_THREAD.start(pipeline.within(Timeout.of(limit, t -> t.limit(SECOND))));
        time.advance(SECOND);
        assertThat(call.error()).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.testing.CallMode#available")
    void callThatOutlivesItsPipelineLeavesNoCounterOfAStrategyThatHasGone(CallMode mode) {
        Pipeline<String> leaving =
                Pipeline.<String>named("p").time(time).timeout(SECOND).as("a").build();
        metrics.bind(pipeline("b"));
        Registration registration = metrics.bind(leaving);
        OngoingCall<String> call = mode.start(leaving);
        registration.remove();
        time.advance(SECOND);
        assertThat(call.error()).isNotNull();
        assertThat(events()).isEmpty();
    }

    @Test
    void rejectionWhileAPipelineIsBeingBoundIsNotCounted() {
        Pipeline<String> pipeline = pipeline("a");
        isolate(pipeline);
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                if (id.getName().equals(RecloserMeter.CIRCUIT_STATE.meterName())) {
                    assertThatThrownBy(() -> pipeline.call(() -> "never")).isNotNull();
                }
                return id;
            }
        });
        metrics.bind(pipeline);
        assertThat(Meters.counts(registry, REJECTIONS)).isEmpty();
        assertThatThrownBy(() -> pipeline.call(() -> "never")).isNotNull();
        assertThat(Meters.counts(registry, REJECTIONS))
                .containsOnly(entry("{reason=circuit_isolated, strategy=a}", 1.0));
    }
}
