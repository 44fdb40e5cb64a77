package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.http.RecloserHttpClient;
import dev.recloser.micrometer.RecloserMetrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The examples in docs/metrics.md and in the README. */
class MetricsExamplesTest {

    private final Set<String> distributed = new HashSet<>();
    private final MeterRegistry registry = new SimpleMeterRegistry() {
        @Override
        protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector pauses) {
            if (Boolean.TRUE.equals(config.isPercentileHistogram())) {
                distributed.add(id.getName());
            }
            return super.newTimer(id, config, pauses);
        }
    };
    private final Pipeline<String> payments =
            Pipeline.<String>standard("payments").build();

    @Test
    void boundPipeline() throws Exception {
        RecloserMetrics metrics = RecloserMetrics.of(registry);
        metrics.bind(payments);

        payments.call(() -> "paid");
        assertThat(registry.get("recloser.pipeline.duration")
                        .tags("pipeline", "payments", "outcome", "success")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void whatComesAndGoes() {
        RecloserHttpClient client = RecloserHttpClient.newHttpClient("payments");
        RecloserMetrics metrics = RecloserMetrics.of(registry);

        client.forEachPipeline(metrics::bind);
        CircuitBreakerStore.shared().forEachCircuit(metrics::bind);

        client.pipeline(HttpRequest.newBuilder(URI.create("http://10.0.0.7/")).build());
        CircuitBreaker.forService("metrics-example").openAfter(5, 10).halfOpenAfter(Duration.ofSeconds(30));
        assertThat(registry.find("recloser.circuit.state")
                        .tag("pipeline", "metrics-example")
                        .gauge())
                .isNotNull();
        metrics.close();
        CircuitBreakerStore.shared().remove("metrics-example");
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void distributions() throws Exception {
        RecloserMetrics metrics = RecloserMetrics.builder(registry).histograms().build();

        metrics.bind(payments);
        payments.call(() -> "paid");
        assertThat(distributed).contains("recloser.pipeline.duration", "recloser.attempt.duration");
    }

    @Test
    void settings() {
        RecloserMetrics metrics = RecloserMetrics.builder(registry)
                .maxPipelines(200)
                .tags(Tags.of("region", "north"))
                .build();

        metrics.bind(payments);
        assertThat(registry.getMeters())
                .allMatch(meter -> "north".equals(meter.getId().getTag("region")));
    }
}
