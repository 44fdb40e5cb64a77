package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a reader of deltas sees when names come back: counters never go backwards. */
class DeltaTest {

    private final InMemoryMetricReader deltas = InMemoryMetricReader.createDelta();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setMeterProvider(
                    SdkMeterProvider.builder().registerMetricReader(deltas).build())
            .build();
    private final RecloserTelemetry telemetry =
            RecloserTelemetry.builder(sdk).maxPipelines(3).build();

    @AfterEach
    void close() {
        telemetry.close();
        sdk.close();
    }

    private static CircuitBreaker breaker(String name) {
        return CircuitBreaker.of(name, cb -> {});
    }

    private static Pipeline<String> pipeline(CircuitBreaker breaker) {
        return Pipeline.<String>named("p").circuitBreaker(breaker).build();
    }

    private static void isolate(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            breaker.isolate();
            breaker.close();
        }
    }

    /** How often circuits have been isolated since the last collection. */
    private Map<String, Double> isolated() {
        Map<String, Double> events = TelemetryFixture.points(deltas.collectAllMetrics(), "recloser.events");
        events.keySet().removeIf(series -> !series.contains("event=isolated"));
        return events;
    }

    @Test
    void a_name_that_comes_back_before_the_next_collection_goes_on_counting() {
        CircuitBreaker breaker = breaker("cb");
        String series = "event=isolated pipeline=cb strategy=cb";
        Registration first = telemetry.bind(breaker);
        isolate(breaker, 5);
        assertThat(isolated()).containsOnly(entry(series, 5.0));
        isolate(breaker, 1);
        first.remove();
        isolate(breaker, 7);
        telemetry.bind(breaker);
        isolate(breaker, 2);
        assertThat(isolated()).containsOnly(entry(series, 3.0));
    }

    @Test
    void a_name_that_comes_back_after_a_collection_begins_anew() {
        CircuitBreaker breaker = breaker("cb");
        String series = "event=isolated pipeline=cb strategy=cb";
        Registration first = telemetry.bind(breaker);
        isolate(breaker, 5);
        assertThat(isolated()).containsOnly(entry(series, 5.0));
        first.remove();
        assertThat(isolated()).isEmpty();
        telemetry.bind(breaker);
        isolate(breaker, 2);
        assertThat(isolated()).containsOnly(entry(series, 2.0));
    }

    @Test
    void a_strategy_that_comes_back_under_a_name_that_stayed_goes_on_counting() {
        CircuitBreaker breaker = breaker("a");
        String series = "event=isolated pipeline=p strategy=a";
        telemetry.bind(pipeline(breaker("b")));
        Registration first = telemetry.bind(pipeline(breaker));
        isolate(breaker, 5);
        assertThat(isolated()).containsOnly(entry(series, 5.0));
        first.remove();
        first = telemetry.bind(pipeline(breaker));
        isolate(breaker, 2);
        assertThat(isolated()).containsOnly(entry(series, 2.0));
        first.remove();
        assertThat(isolated()).isEmpty();
        telemetry.bind(pipeline(breaker));
        isolate(breaker, 1);
        assertThat(isolated()).containsOnly(entry(series, 1.0));
    }

    @Test
    void the_name_of_all_others_goes_on_counting_too() {
        for (int i = 0; i < 3; i++) {
            telemetry.bind(breaker("own-" + i));
        }
        CircuitBreaker breaker = breaker("cb");
        String series = "event=isolated pipeline=other strategy=other";
        Registration first = telemetry.bind(breaker);
        isolate(breaker, 5);
        assertThat(isolated()).containsOnly(entry(series, 5.0));
        first.remove();
        telemetry.bind(breaker);
        isolate(breaker, 2);
        assertThat(isolated()).containsOnly(entry(series, 2.0));
    }

    @Test
    void as_many_names_go_on_counting_as_can_have_meters_and_what_went_before_them_is_forgotten() {
        CircuitBreaker early = breaker("early");
        CircuitBreaker last = breaker("last");
        Registration ofLast = telemetry.bind(last);
        isolate(last, 5);
        assertThat(isolated()).hasSize(1);
        Registration ofEarly = telemetry.bind(early);
        isolate(early, 5);
        ofEarly.remove();
        for (int i = 0; i < 2; i++) {
            telemetry.bind(breaker("own-" + i)).remove();
        }
        ofLast.remove();
        telemetry.bind(last);
        telemetry.bind(early);
        isolate(last, 2);
        isolate(early, 2);
        assertThat(isolated())
                .containsOnly(
                        entry("event=isolated pipeline=last strategy=last", 2.0),
                        entry("event=isolated pipeline=early strategy=early", 2.0));
    }
}
