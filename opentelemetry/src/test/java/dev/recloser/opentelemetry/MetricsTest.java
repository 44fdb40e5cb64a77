package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.CircuitOpenException;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.SettingsException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The meters: what they count and show, and when they go. */
class MetricsTest extends TelemetryFixture {

    private static Object fail() throws IOException {
        throw new IOException("down");
    }

    private static Pipeline<String> opening(String name) {
        return Pipeline.<String>named(name)
                .retry(retry -> retry.maxRetries(2).constantDelay(Duration.ZERO))
                .circuitBreaker(cb -> cb.openAfterConsecutive(2))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void a_call_is_counted_by_what_happens_to_it(Way way) {
        Pipeline<String> pipeline = opening("quotes");
        telemetry.bind(pipeline);
        call(way, pipeline, () -> "ok");
        Object end = call(way, pipeline, () -> (String) fail());
        assertThat(end).isInstanceOf(CircuitOpenException.class);
        assertThat(points("recloser.pipeline.duration"))
                .containsOnly(
                        entry("outcome=success pipeline=quotes", 1.0), entry("outcome=rejected pipeline=quotes", 1.0));
        assertThat(points("recloser.attempt.duration"))
                .containsOnly(
                        entry("attempt=first outcome=success pipeline=quotes", 1.0),
                        entry("attempt=first outcome=failure pipeline=quotes", 1.0),
                        entry("attempt=retry outcome=failure pipeline=quotes", 1.0));
        assertThat(points("recloser.events"))
                .containsOnly(
                        entry("event=retry pipeline=quotes strategy=retry", 2.0),
                        entry("event=opened pipeline=quotes strategy=quotes", 1.0));
        assertThat(points("recloser.rejections"))
                .containsOnly(entry("pipeline=quotes reason=circuit_open strategy=quotes", 1.0));
        assertThat(points("recloser.circuit.state")).containsOnly(entry("pipeline=quotes strategy=quotes", 2.0));
        assertThat(points("recloser.circuit.ratio")).containsOnly(entry("pipeline=quotes strategy=quotes", 1.0));
        assertThat(points("recloser.pipeline.abandoned")).containsOnly(entry("pipeline=quotes", 0.0));
    }

    @Test
    void durations_are_in_seconds_and_in_buckets_that_fit_requests() {
        Pipeline<String> pipeline = opening("quotes");
        telemetry.bind(pipeline);
        call(Way.BLOCKING, pipeline, () -> "ok");
        MetricData metric = metrics.collectAllMetrics().stream()
                .filter(each -> each.getName().equals("recloser.pipeline.duration"))
                .findFirst()
                .orElseThrow();
        HistogramPointData point =
                metric.getHistogramData().getPoints().iterator().next();
        assertThat(metric.getUnit()).isEqualTo("s");
        assertThat(point.getSum()).isBetween(0.0, 5.0);
        assertThat(point.getBoundaries()).startsWith(0.005).endsWith(10.0);
        assertThat(metric.getInstrumentationScopeInfo().getName()).isEqualTo("dev.recloser");
    }

    @Test
    @Timeout(60)
    void hedges_are_told_apart() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("quotes")
                .hedging(hedging -> hedging.maxHedges(1).delay(Duration.ZERO))
                .build();
        telemetry.bind(pipeline);
        CountDownLatch both = new CountDownLatch(2);
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> end = pipeline.callAsync(context -> {
            both.countDown();
            return context.hedge() == 0 ? first : second;
        });
        both.await();
        second.complete("ok");
        end.get();
        while (points("recloser.attempt.duration").size() < 2) {
            // What was overtaken is cut, and then counted, beside the end of the call.
            Thread.onSpinWait();
        }
        assertThat(points("recloser.attempt.duration"))
                .containsOnly(
                        entry("attempt=hedge outcome=success pipeline=quotes", 1.0),
                        entry("attempt=first outcome=cancelled pipeline=quotes", 1.0));
    }

    @Test
    void what_is_bound_twice_is_counted_once_and_goes_with_the_last_registration() {
        Pipeline<String> pipeline = opening("quotes");
        Registration first = telemetry.bind(pipeline);
        Registration second = telemetry.bind(pipeline.once());
        call(Way.BLOCKING, pipeline, () -> "ok");
        assertThat(points("recloser.pipeline.duration")).containsValue(1.0);
        first.remove();
        first.remove();
        call(Way.BLOCKING, pipeline, () -> (String) fail());
        assertThat(points("recloser.pipeline.duration")).hasSize(2);
        assertThat(points("recloser.events")).isNotEmpty();
        second.remove();
        for (RecloserMeter meter : RecloserMeter.values()) {
            if (meter.type() != RecloserMeter.Type.HISTOGRAM) {
                assertThat(points(meter.id())).as(meter.id()).isEmpty();
            }
        }
        call(Way.BLOCKING, pipeline, () -> "ok");
        assertThat(points("recloser.pipeline.duration").values().stream()
                        .mapToDouble(count -> count)
                        .sum())
                .as("what was recorded before stays in the SDK, and nothing comes to it")
                .isEqualTo(2.0);
    }

    @Test
    void pipelines_of_one_name_are_counted_together_and_the_worse_circuit_is_shown() {
        Pipeline<String> one = opening("quotes");
        Pipeline<String> other = opening("quotes");
        telemetry.bind(one);
        Registration second = telemetry.bind(other);
        call(Way.BLOCKING, one, () -> "ok");
        call(Way.BLOCKING, other, () -> (String) fail());
        assertThat(points("recloser.pipeline.duration")).hasSize(2);
        assertThat(points("recloser.circuit.state")).containsValue(2.0).hasSize(1);
        second.remove();
        assertThat(points("recloser.circuit.state")).containsValue(0.0).hasSize(1);
        assertThat(points("recloser.events")).hasSize(2);
    }

    @Test
    void limiters_show_their_calls_summed_over_those_of_one_name_and_a_shared_one_once() throws Exception {
        ConcurrencyLimiter shared = ConcurrencyLimiter.of("places", limiter -> limiter.maxConcurrent(2));
        Pipeline<String> one = Pipeline.<String>named("quotes").strategy(shared).build();
        Pipeline<String> other =
                Pipeline.<String>named("quotes").strategy(shared).build();
        Pipeline<String> third = Pipeline.<String>named("quotes")
                .concurrencyLimiter(limiter -> limiter.maxConcurrent(5))
                .as("places")
                .build();
        telemetry.bind(one);
        telemetry.bind(other);
        telemetry.bind(third);
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<String> first = one.callAsync(() -> running);
        CompletableFuture<String> second = third.callAsync(() -> running);
        assertThat(points("recloser.limiter.inflight")).containsOnly(entry("pipeline=quotes strategy=places", 2.0));
        assertThat(points("recloser.limiter.limit")).containsOnly(entry("pipeline=quotes strategy=places", 7.0));
        assertThat(points("recloser.limiter.queued")).containsOnly(entry("pipeline=quotes strategy=places", 0.0));
        CompletableFuture<String> last = other.callAsync(() -> running);
        assertThat(call(Way.BLOCKING, other, () -> "ok")).isInstanceOf(LimitReachedException.class);
        assertThat(points("recloser.rejections"))
                .containsOnly(entry("pipeline=quotes reason=limit_reached strategy=places", 1.0));
        running.complete("ok");
        CompletableFuture.allOf(first, second, last).get();
        assertThat(points("recloser.limiter.inflight")).containsValue(0.0);
    }

    @Test
    void a_circuit_without_a_pipeline_has_its_own_name_twice() {
        CircuitBreaker breaker = CircuitBreaker.of("alone", cb -> cb.openAfterConsecutive(1));
        Registration registration = telemetry.bind(breaker);
        assertThatThrownBy(() -> breaker.call(MetricsTest::fail)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> breaker.call(MetricsTest::fail)).isInstanceOf(CircuitOpenException.class);
        breaker.isolate();
        assertThatThrownBy(() -> breaker.call(MetricsTest::fail)).isNotNull();
        assertThat(points("recloser.circuit.state")).containsOnly(entry("pipeline=alone strategy=alone", 3.0));
        assertThat(points("recloser.events"))
                .containsOnly(
                        entry("event=opened pipeline=alone strategy=alone", 1.0),
                        entry("event=isolated pipeline=alone strategy=alone", 1.0));
        assertThat(points("recloser.rejections"))
                .containsOnly(
                        entry("pipeline=alone reason=circuit_open strategy=alone", 1.0),
                        entry("pipeline=alone reason=circuit_isolated strategy=alone", 1.0));
        registration.remove();
        assertThat(points("recloser.circuit.state")).isEmpty();
        assertThat(points("recloser.rejections")).isEmpty();
    }

    @Test
    void a_rejection_by_a_circuit_that_is_bound_alone_and_in_a_pipeline_of_its_name_is_counted_once() {
        CircuitBreaker breaker = CircuitBreaker.of("payments", cb -> cb.openAfterConsecutive(1));
        Pipeline<String> pipeline =
                Pipeline.<String>named("payments").circuitBreaker(breaker).build();
        telemetry.bind(breaker);
        telemetry.bind(pipeline);
        call(Way.BLOCKING, pipeline, () -> (String) fail());
        call(Way.BLOCKING, pipeline, () -> (String) fail());
        assertThat(points("recloser.rejections").values()).containsExactly(1.0);
        assertThat(points("recloser.events").values()).containsExactly(1.0);
    }

    @Test
    void an_end_of_all_ends_the_meters() {
        Pipeline<String> pipeline = opening("quotes");
        telemetry.bind(pipeline);
        telemetry.close();
        call(Way.BLOCKING, pipeline, () -> "ok");
        assertThat(metrics.collectAllMetrics()).isEmpty();
    }

    @Test
    void metrics_can_be_left_out() {
        try (RecloserTelemetry tracesOnly =
                RecloserTelemetry.builder(sdk).withoutMetrics().build()) {
            Pipeline<String> pipeline = opening("quotes");
            tracesOnly.bind(pipeline);
            tracesOnly.bind(CircuitBreaker.of("alone", cb -> cb.openAfterConsecutive(1)));
            call(Way.BLOCKING, pipeline, () -> (String) fail());
            assertThat(metrics.collectAllMetrics()).isEmpty();
        }
    }

    @Test
    void settings_that_cannot_work_are_refused() {
        assertThatThrownBy(() -> RecloserTelemetry.builder(sdk)
                        .maxPipelines(0)
                        .withoutMetrics()
                        .withoutTraces()
                        .build())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("telemetry.maxPipelines")
                .hasMessageContaining("telemetry.metrics and traces");
    }

    @Test
    void every_meter_has_the_tags_of_its_row() {
        Pipeline<String> pipeline = opening("quotes");
        telemetry.bind(pipeline);
        telemetry.bind(Pipeline.<String>named("limited").concurrencyLimiter(1).build());
        call(Way.BLOCKING, pipeline, () -> (String) fail());
        for (RecloserMeter meter : RecloserMeter.values()) {
            String tags = meter.tags().stream()
                    .map(tag -> tag.key().getKey())
                    .sorted()
                    .collect(Collectors.joining(" "));
            assertThat(points(meter.id()).keySet())
                    .as(meter.id())
                    .isNotEmpty()
                    .allMatch(point -> point.replaceAll("=[^ ]*", "").equals(tags));
        }
    }
}
