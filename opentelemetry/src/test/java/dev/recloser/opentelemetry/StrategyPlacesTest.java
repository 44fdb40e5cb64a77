package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.CircuitIsolatedException;
import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.timeout.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Strategies of several names that come and go under one name of a pipeline. */
class StrategyPlacesTest extends TelemetryFixture {

    /** More than are told apart under one name. */
    private static final int TOO_MANY = 250;

    private static Pipeline<String> pipeline(String breaker) {
        return Pipeline.<String>named("p")
                .circuitBreaker(CircuitBreaker.of(breaker, cb -> {}))
                .build();
    }

    private static void isolate(Pipeline<String> pipeline) {
        pipeline.strategy(CircuitBreaker.class).orElseThrow().isolate();
    }

    private void reject(Pipeline<String> pipeline) {
        assertThat(call(Way.BLOCKING, pipeline, () -> "never")).isInstanceOf(CircuitIsolatedException.class);
    }

    private Map<String, Double> events() {
        return points("recloser.events");
    }

    @Test
    void strategies_beyond_the_maximum_are_counted_together_without_gauges() {
        for (int i = 0; i < TOO_MANY; i++) {
            Pipeline<String> pipeline = pipeline("tenant-" + i);
            telemetry.bind(pipeline);
            isolate(pipeline);
            reject(pipeline);
        }
        assertThat(events())
                .hasSize(101)
                .containsEntry("event=isolated pipeline=p strategy=tenant-99", 1.0)
                .containsEntry("event=isolated pipeline=p strategy=other", 150.0);
        assertThat(points("recloser.rejections"))
                .hasSize(101)
                .containsEntry("pipeline=p reason=circuit_isolated strategy=tenant-99", 1.0)
                .containsEntry("pipeline=p reason=circuit_isolated strategy=other", 150.0);
        assertThat(points("recloser.circuit.state")).hasSize(100).containsEntry("pipeline=p strategy=tenant-99", 3.0);
        assertThat(points("recloser.circuit.ratio")).hasSize(100);
    }

    @Test
    void a_strategy_that_is_removed_takes_its_counters_and_gauges_with_it() {
        Pipeline<String> one = pipeline("a");
        Pipeline<String> two = pipeline("b");
        Registration first = telemetry.bind(one);
        telemetry.bind(two);
        isolate(one);
        isolate(two);
        reject(one);
        assertThat(events())
                .containsOnly(
                        entry("event=isolated pipeline=p strategy=a", 1.0),
                        entry("event=isolated pipeline=p strategy=b", 1.0));
        first.remove();
        assertThat(events()).containsOnly(entry("event=isolated pipeline=p strategy=b", 1.0));
        assertThat(points("recloser.rejections")).isEmpty();
        assertThat(points("recloser.circuit.state")).containsOnlyKeys("pipeline=p strategy=b");
    }

    @Test
    void a_strategy_keeps_its_counters_until_the_last_one_of_its_name_is_removed() {
        Pipeline<String> one = pipeline("a");
        Pipeline<String> two = pipeline("a");
        Registration first = telemetry.bind(one);
        Registration second = telemetry.bind(two);
        telemetry.bind(pipeline("b"));
        isolate(one);
        first.remove();
        isolate(two);
        assertThat(events()).containsOnly(entry("event=isolated pipeline=p strategy=a", 2.0));
        second.remove();
        assertThat(events()).isEmpty();
    }

    @Test
    void a_strategy_that_is_removed_makes_room() {
        telemetry.bind(pipeline("stays"));
        for (int i = 0; i < TOO_MANY; i++) {
            Pipeline<String> pipeline = pipeline("tenant-" + i);
            Registration registration = telemetry.bind(pipeline);
            isolate(pipeline);
            if (i % 2 == 0) {
                assertThat(events()).containsOnly(entry("event=isolated pipeline=p strategy=tenant-" + i, 1.0));
                assertThat(points("recloser.circuit.state")).containsKey("pipeline=p strategy=tenant-" + i);
            }
            registration.remove();
        }
    }

    @Test
    void a_strategy_beyond_the_maximum_that_is_removed_leaves_the_others_their_counters() {
        List<Registration> registrations = new ArrayList<>();
        for (int i = 0; i < 102; i++) {
            Pipeline<String> pipeline = pipeline("tenant-" + i);
            registrations.add(telemetry.bind(pipeline));
            isolate(pipeline);
        }
        registrations.get(101).remove();
        assertThat(events()).hasSize(101).containsEntry("event=isolated pipeline=p strategy=other", 2.0);
        registrations.get(0).remove();
        Pipeline<String> late = pipeline("tenant-101");
        telemetry.bind(late);
        isolate(late);
        assertThat(events()).hasSize(101).containsEntry("event=isolated pipeline=p strategy=tenant-101", 1.0);
    }

    @Test
    void limits_that_calls_bring_along_take_no_place_of_a_strategy_that_is_bound() {
        Pipeline<String> pipeline = Pipeline.<String>named("p").build();
        telemetry.bind(pipeline);
        for (int i = 0; i < TOO_MANY; i++) {
            timeOut(pipeline, "limit-" + i);
        }
        assertThat(events()).hasSize(101).containsEntry("event=timed_out pipeline=p strategy=other", 150.0);
        Pipeline<String> late = pipeline("late");
        telemetry.bind(late);
        isolate(late);
        assertThat(events()).hasSize(102).containsEntry("event=isolated pipeline=p strategy=late", 1.0);
    }

    @Test
    void a_name_that_a_call_brought_along_goes_on_counting_when_it_is_bound_and_then_goes_with_that() {
        Pipeline<String> pipeline = Pipeline.<String>named("p").build();
        telemetry.bind(pipeline);
        timeOut(pipeline, "a");
        Pipeline<String> bound = pipeline("a");
        Registration registration = telemetry.bind(bound);
        isolate(bound);
        assertThat(events())
                .containsOnly(
                        entry("event=timed_out pipeline=p strategy=a", 1.0),
                        entry("event=isolated pipeline=p strategy=a", 1.0));
        registration.remove();
        assertThat(events()).isEmpty();
    }

    @Test
    void a_limit_of_a_name_like_that_of_all_others_is_one_of_them() {
        Pipeline<String> pipeline = Pipeline.<String>named("p").build();
        telemetry.bind(pipeline);
        Registration registration = telemetry.bind(pipeline("other"));
        assertThat(points("recloser.circuit.state")).containsKey("pipeline=p strategy=other");
        registration.remove();
        timeOut(pipeline, "other");
        assertThat(events()).containsOnly(entry("event=timed_out pipeline=p strategy=other", 1.0));
    }

    private void timeOut(Pipeline<String> pipeline, String limit) {
        call(Way.BLOCKING, pipeline.within(Timeout.of(limit, t -> t.limit(Duration.ofNanos(1)))), () -> {
            new CountDownLatch(1).await();
            return "never";
        });
    }

    @Test
    void a_call_that_outlives_its_pipeline_leaves_no_counter_of_a_strategy_that_has_gone() {
        Pipeline<String> leaving = Pipeline.<String>named("p")
                .fallback(fallback -> fallback.value("instead"))
                .as("a")
                .build();
        telemetry.bind(pipeline("b"));
        Registration registration = telemetry.bind(leaving);
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> call = leaving.callAsync(() -> work);
        registration.remove();
        work.completeExceptionally(new IllegalStateException("down"));
        assertThat(call).isCompletedWithValue("instead");
        assertThat(events()).isEmpty();
    }
}
