package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.time.TimeSource;
import dev.recloser.timeout.Timeout;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However many names, keys and messages there are, the meters stay few. */
@Tag("once")
class BoundsTest extends TelemetryFixture {

    private static final int MANY = 100_000;

    private final RecloserTelemetry small =
            RecloserTelemetry.builder(sdk).maxPipelines(10).build();

    private int series() {
        int series = 0;
        for (RecloserMeter meter : RecloserMeter.values()) {
            series += points(meter.id()).size();
        }
        return series;
    }

    @Test
    void many_names_of_pipelines_have_meters_of_their_own_up_to_the_maximum() throws Exception {
        CircuitBreaker isolated = CircuitBreaker.of("gate", cb -> cb.openAfterConsecutive(1));
        isolated.isolate();
        List<String> warnings = new ArrayList<>();
        Logger logger = Logger.getLogger("dev.recloser.opentelemetry");
        Handler handler = noting(warnings);
        logger.addHandler(handler);
        List<Registration> registrations = new ArrayList<>();
        try {
            for (int i = 0; i < MANY; i++) {
                Pipeline<String> pipeline = Pipeline.<String>named("p" + i)
                        .circuitBreaker(isolated)
                        .timeout(Duration.ofSeconds(1))
                        .build();
                registrations.add(small.bind(pipeline));
                call(Way.BLOCKING, pipeline, () -> "never");
            }
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(points("recloser.pipeline.duration"))
                .hasSize(11)
                .containsEntry("outcome=rejected pipeline=other", MANY - 10.0);
        assertThat(points("recloser.rejections"))
                .hasSize(11)
                .containsEntry("pipeline=other reason=circuit_isolated strategy=other", MANY - 10.0);
        assertThat(points("recloser.pipeline.abandoned")).hasSize(10).doesNotContainKey("pipeline=other");
        assertThat(series()).isLessThan(100);
        assertThat(warnings).hasSize(1).allMatch(warning -> warning.contains("'p10'"));
        registrations.forEach(Registration::remove);
        assertThat(points("recloser.rejections")).isEmpty();
    }

    private static Handler noting(List<String> lines) {
        return new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    @Test
    void many_names_of_strategies_within_one_name_of_a_pipeline_have_meters_up_to_a_number() {
        int tenants = MANY / 5;
        List<Registration> registrations = new ArrayList<>();
        for (int i = 0; i < tenants; i++) {
            CircuitBreaker breaker = CircuitBreaker.of("tenant-" + i, cb -> {});
            registrations.add(small.bind(Pipeline.<String>named("payments")
                    .circuitBreaker(breaker)
                    .timeout(Duration.ofSeconds(1))
                    .build()));
            breaker.isolate();
        }
        int own = 99; // the timeout has one of the hundred places
        assertThat(points("recloser.events"))
                .hasSize(own + 1)
                .containsEntry("event=isolated pipeline=payments strategy=other", (double) (tenants - own));
        assertThat(points("recloser.circuit.state")).hasSize(own);
        registrations.forEach(Registration::remove);
        assertThat(series()).isZero();
    }

    @Test
    void a_name_that_was_removed_makes_room() {
        Registration first = null;
        for (int i = 0; i < 11; i++) {
            Registration last = small.bind(Pipeline.<String>named("p" + i).build());
            first = first == null ? last : first;
        }
        first.remove();
        small.bind(Pipeline.<String>named("late").build());
        assertThat(points("recloser.pipeline.abandoned").keySet())
                .hasSize(10)
                .contains("pipeline=late")
                .doesNotContain("pipeline=p0", "pipeline=p10");
    }

    @Test
    void many_keys_of_a_store_have_meters_up_to_the_maximum() {
        CircuitBreakerStore store = new CircuitBreakerStore(50, TimeSource.system());
        Registration all = store.forEachCircuit(small::bind);
        for (int i = 0; i < MANY; i++) {
            store.forService("service " + i)
                    .openAfter(1, 2)
                    .halfOpenAfter(Duration.ofSeconds(1))
                    .isolate();
        }
        assertThat(points("recloser.circuit.state")).hasSizeLessThanOrEqualTo(10);
        assertThat(points("recloser.events")).hasSizeLessThanOrEqualTo(11);
        all.remove();
        assertThat(series()).isZero();
    }

    @Test
    void limits_that_come_with_calls_are_told_apart_up_to_a_number() {
        Pipeline<String> pipeline = Pipeline.<String>named("quotes").build();
        small.bind(pipeline);
        for (int i = 0; i < 1000; i++) {
            String limit = "limit " + i;
            Pipeline<String> within = pipeline.within(Timeout.of(limit, timeout -> timeout.limit(Duration.ofNanos(1))));
            call(Way.BLOCKING, within, () -> {
                new CountDownLatch(1).await();
                return "never";
            });
        }
        assertThat(points("recloser.events"))
                .hasSize(101)
                .containsEntry("event=timed_out pipeline=quotes strategy=other", 900.0);
    }

    @Test
    void many_messages_make_no_attributes_of_spans() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("quotes")
                .retry(retry -> retry.maxRetries(20).constantDelay(Duration.ZERO))
                .build();
        telemetry.bind(pipeline);
        SpanData caller = inSpan(
                "caller",
                () -> call(Way.BLOCKING, pipeline, () -> {
                    throw new IOException("secret " + System.identityHashCode(new Object()));
                }));
        assertThat(caller.getEvents())
                .hasSize(21)
                .allMatch(event -> !event.toString().contains("secret"));
    }

    @Test
    void a_circuit_of_a_name_like_that_of_all_others_is_one_of_them() {
        CircuitBreaker breaker = CircuitBreaker.of("other", cb -> cb.openAfterConsecutive(1));
        small.bind(breaker);
        breaker.isolate();
        assertThat(points("recloser.events")).containsOnlyKeys("event=isolated pipeline=other strategy=other");
    }
}
