package dev.recloser.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.testing.CallMode;
import dev.recloser.time.VirtualTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What Prometheus gets to see. */
class PrometheusNamesTest {

    private static final CallMode MODE = CallMode.PLATFORM_THREAD;

    private final VirtualTime time = VirtualTime.create();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private Pipeline<String> boundAndUsed() {
        return boundAndUsed(RecloserMetrics.of(registry));
    }

    private Pipeline<String> boundAndUsed(RecloserMetrics metrics) {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .concurrencyLimiter(1)
                .retry(r -> r.constantDelay(Duration.ofSeconds(1)))
                .circuitBreaker(cb -> cb.failureRatio(1).minimumThroughput(5))
                .timeout(Duration.ofSeconds(1))
                .build();
        metrics.bind(pipeline);
        var call = MODE.start(pipeline).fail(new IOException("down"));
        MODE.start(pipeline).awaitEnd();
        time.advance(Duration.ofSeconds(1));
        call.awaitAttempts(2).succeed("fine");
        return pipeline;
    }

    @Test
    void metersHaveTheNamesThatPrometheusExpects() {
        Pipeline<String> pipeline = boundAndUsed();
        String breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow().name();
        assertThat(registry.scrape().lines())
                .contains(
                        "recloser_pipeline_duration_seconds_count{outcome=\"rejected\",pipeline=\"p\"} 1",
                        "recloser_pipeline_duration_seconds_sum{outcome=\"success\",pipeline=\"p\"} 1.0",
                        "recloser_attempt_duration_seconds_count{attempt=\"retry\",outcome=\"success\",pipeline=\"p\"} 1",
                        "recloser_events_total{event=\"retry\",pipeline=\"p\",strategy=\"retry\"} 1.0",
                        "recloser_rejections_total{pipeline=\"p\",reason=\"limit_reached\",strategy=\"concurrencyLimiter\"} 1.0",
                        "recloser_circuit_state{pipeline=\"p\",strategy=\"" + breaker + "\"} 0.0",
                        "recloser_circuit_ratio{pipeline=\"p\",strategy=\"" + breaker + "\"} 0.5",
                        "recloser_limiter_inflight{pipeline=\"p\",strategy=\"concurrencyLimiter\"} 0.0",
                        "recloser_limiter_queued{pipeline=\"p\",strategy=\"concurrencyLimiter\"} 0.0",
                        "recloser_limiter_limit{pipeline=\"p\",strategy=\"concurrencyLimiter\"} 1.0",
                        "recloser_pipeline_abandoned{pipeline=\"p\"} 0.0",
                        "# HELP recloser_events_total " + RecloserMeter.EVENTS.description());
    }

    @Test
    void histogramsOfCallsAndAttemptsAreThereWhereTheyAreAskedFor() {
        boundAndUsed(RecloserMetrics.builder(registry).histograms().build());
        assertThat(registry.scrape())
                .contains(
                        "recloser_pipeline_duration_seconds_bucket{outcome=\"success\",pipeline=\"p\",le=\"0.001\"} 0")
                .contains("recloser_pipeline_duration_seconds_bucket{outcome=\"success\",pipeline=\"p\",le=\"+Inf\"} 1")
                .contains(
                        "recloser_attempt_duration_seconds_bucket{attempt=\"retry\",outcome=\"success\",pipeline=\"p\",le=\"+Inf\"} 1");
        assertThat(registry.scrape().lines())
                .filteredOn(line ->
                        line.startsWith("recloser_pipeline_duration_seconds") && line.contains("outcome=\"success\""))
                .as("what the documentation says of the number of series")
                .hasSizeBetween(65, 75);
    }

    @Test
    void histogramsAreNotThereOtherwise() {
        boundAndUsed();
        assertThat(registry.scrape()).doesNotContain("_bucket");
    }

    @Test
    void histogramsThatAFilterSwitchesOffStayOff() {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return DistributionStatisticConfig.builder()
                        .percentilesHistogram(!id.getName().equals("recloser.attempt.duration"))
                        .build()
                        .merge(config);
            }
        });
        boundAndUsed(RecloserMetrics.builder(registry).histograms().build());
        assertThat(registry.scrape())
                .contains("recloser_pipeline_duration_seconds_bucket")
                .doesNotContain("recloser_attempt_duration_seconds_bucket");
    }

    @Test
    void histogramsAreThereWhereAFilterSwitchesThemOn() {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().startsWith("recloser.")
                        ? DistributionStatisticConfig.builder()
                                .percentilesHistogram(true)
                                .build()
                                .merge(config)
                        : config;
            }
        });
        boundAndUsed();
        assertThat(registry.scrape())
                .contains("recloser_pipeline_duration_seconds_bucket{outcome=\"success\",pipeline=\"p\",le=\"+Inf\"} 1")
                .contains("recloser_attempt_duration_seconds_bucket{attempt=\"retry\",");
    }
}
