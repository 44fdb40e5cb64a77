package dev.recloser.micrometer;

import static dev.recloser.micrometer.RecloserMeter.EVENTS;
import static dev.recloser.micrometer.RecloserMeter.PIPELINE_DURATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.noop.NoopTimer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Registries that throw, deny or merge meters: calls go on, and what can be measured is. */
class UnwillingRegistryTest {

    private static final Logger LOG = Logger.getLogger("dev.recloser");

    private final List<LogRecord> warnings = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            if (!String.valueOf(entry.getMessage()).contains("no timeout stands inside")) {
                warnings.add(entry);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOG.addHandler(handler);
        LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        LOG.setUseParentHandlers(true);
        LOG.removeHandler(handler);
    }

    private static Pipeline<String> pipeline(String name) {
        return Pipeline.<String>named(name)
                .concurrencyLimiter(3)
                .circuitBreaker(cb -> {})
                .build();
    }

    @Test
    void registryThatThrowsWhenATimerIsMadeLosesTheTimersAndIsReportedOnce() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry() {
            @Override
            protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector pauses) {
                throw new IllegalArgumentException("no " + id.getName());
            }
        };
        Pipeline<String> pipeline = pipeline("p");
        Registration registration = RecloserMetrics.of(registry).bind(pipeline);
        for (int i = 0; i < 10; i++) {
            assertThat(pipeline.call(() -> "fine")).isEqualTo("fine");
        }
        pipeline.strategy(CircuitBreaker.class).orElseThrow().isolate();

        assertThat(Meters.counts(registry, EVENTS)).hasSize(1);
        assertThat(warnings).hasSize(2).allMatch(warning -> warning.getThrown() instanceof IllegalArgumentException);
        registration.remove();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void timerThatThrowsChangesNoOutcomeAndIsReportedOnce() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry() {
            @Override
            protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector pauses) {
                return new NoopTimer(id) {
                    @Override
                    public void record(long amount, TimeUnit unit) {
                        throw new IllegalStateException("full");
                    }
                };
            }
        };
        Pipeline<String> pipeline = pipeline("p");
        RecloserMetrics.of(registry).bind(pipeline);
        for (int i = 0; i < 10; i++) {
            assertThat(pipeline.call(() -> "fine")).isEqualTo("fine");
        }
        assertThat(warnings).hasSize(2);
    }

    @Test
    void registryThatThrowsAtEverythingLetsPipelinesBeBoundAndRemoved() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, Clock.SYSTEM);
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                throw new IllegalStateException("a filter of the user's");
            }
        });
        Pipeline<String> pipeline = pipeline("p");
        RecloserMetrics metrics = RecloserMetrics.of(registry);
        Registration registration = metrics.bind(pipeline);
        assertThat(pipeline.call(() -> "fine")).isEqualTo("fine");
        registration.remove();
        metrics.bind(pipeline);
        metrics.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void metersThatAFilterDeniesAreNotThereAndTheOthersAre() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.config().meterFilter(MeterFilter.denyNameStartsWith("recloser.attempt"));
        registry.config().meterFilter(MeterFilter.denyNameStartsWith("recloser.limiter"));
        Pipeline<String> pipeline = pipeline("p");
        Registration registration = RecloserMetrics.of(registry).bind(pipeline);
        pipeline.call(() -> "fine");
        assertThat(Meters.counts(registry))
                .containsOnly(entry("recloser.pipeline.duration{outcome=success, pipeline=p}", 1.0));
        assertThat(Meters.gauges(registry)).hasSize(3);
        assertThat(warnings).isEmpty();
        registration.remove();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void metersThatAFilterMergesGoWithTheLastOfThem() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.config().meterFilter(MeterFilter.ignoreTags("pipeline"));
        Pipeline<String> one = pipeline("one");
        Pipeline<String> two = pipeline("two");
        RecloserMetrics metrics = RecloserMetrics.of(registry);
        Registration first = metrics.bind(one);
        Registration second = metrics.bind(two);
        one.call(() -> "fine");
        two.call(() -> "fine");
        first.remove();
        two.call(() -> "fine");
        assertThat(Meters.counts(registry, PIPELINE_DURATION)).containsOnly(entry("{outcome=success}", 3.0));
        second.remove();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void tooManyNamesAreReportedOnce() {
        RecloserMetrics metrics = RecloserMetrics.builder(new SimpleMeterRegistry())
                .maxPipelines(1)
                .build();
        for (int i = 0; i < 5; i++) {
            metrics.bind(pipeline("p" + i));
        }
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0).getParameters()).contains("p1", "other");
    }

    @Test
    void countersOfOthersWithTheSameNamesAreLeftAlone() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Counter foreign = registry.counter("recloser.events");
        Pipeline<String> pipeline = pipeline("p");
        Registration registration = RecloserMetrics.of(registry).bind(pipeline);
        pipeline.strategy(CircuitBreaker.class).orElseThrow().isolate();
        registration.remove();
        assertThat(registry.getMeters()).containsExactly(foreign);
    }
}
