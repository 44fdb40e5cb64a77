package dev.recloser.gateway.metrics;

import dev.recloser.Registration;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.Reloads;
import dev.recloser.gateway.proxy.Cluster;
import dev.recloser.gateway.proxy.Counters;
import dev.recloser.gateway.proxy.Ending;
import dev.recloser.gateway.proxy.StatusClass;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The metrics of a gateway and of its process. They are read when asked for, and nothing is kept in between. Thread-safe. */
public final class GatewayMetrics implements AutoCloseable {

    private static final String UNKNOWN = "unknown";

    private final Gateway gateway;
    private final Map<Cluster, ClusterSamples> clusters = new ConcurrentHashMap<>();
    private final Registration following;
    private final ProcessSamples process = new ProcessSamples();
    private final ExpositionFormats formats = ExpositionFormats.init();

    /** Metrics of a gateway; the transitions of its circuits are counted from now on, until these are closed. */
    public GatewayMetrics(Gateway gateway) {
        this.gateway = gateway;
        this.following = gateway.forEachCluster(this::follow);
    }

    private Registration follow(Cluster cluster) {
        ClusterSamples samples = new ClusterSamples(cluster);
        clusters.put(cluster, samples);
        return Registration.all(
                List.of(() -> clusters.remove(cluster), cluster.breaker().addListener(samples)));
    }

    /**
     * All metrics as they are now.
     *
     * @param accept which formats the client takes, as its {@code Accept} says: that of OpenMetrics, or else Prometheus text
     */
    public Exposition scrape(@Nullable String accept) {
        ExpositionFormatWriter writer = writer(accept);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            writer.write(text, snapshots());
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot fail to be written", e);
        }
        return new Exposition(writer.getContentType(), text.toString(StandardCharsets.UTF_8));
    }

    /** Leaves the gateway to itself, which may go on: nothing of its clusters is counted or told any more. Idempotent. */
    @Override
    public void close() {
        following.remove();
    }

    /** The library knows of a third format, for which it would need one more library. */
    private ExpositionFormatWriter writer(@Nullable String accept) {
        ExpositionFormatWriter openMetrics = formats.getOpenMetricsTextFormatWriter();
        return openMetrics.accepts(accept) ? openMetrics : formats.getPrometheusTextFormatWriter();
    }

    private MetricSnapshots snapshots() {
        Samples samples = new Samples();
        for (Cluster cluster : gateway.clusters().values()) {
            ClusterSamples own = clusters.get(cluster);
            if (own != null) { // it has not gone just now
                own.addTo(samples);
            }
        }
        unrouted(samples);
        reloads(samples);
        samples.add(Metric.CLIENT_CONNECTIONS, gateway.clientConnections());
        samples.add(Metric.CLIENT_CONNECTS, gateway.clientConnectionsTotal());
        samples.add(Metric.CLIENT_REFUSALS, gateway.clientConnectionsRefused());
        samples.add(Metric.ACCESS_LOG_DROPPED, gateway.accessLogDropped());
        gateway.certificateEnds()
                .forEach((file, end) -> samples.add(Metric.CERTIFICATE_EXPIRY, end.getEpochSecond(), file.toString()));
        samples.add(Metric.BUILD, 1, Gateway.version().orElse(UNKNOWN));
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        samples.snapshots().forEach(all::metricSnapshot);
        process.read().forEach(all::metricSnapshot);
        return all.build();
    }

    private void reloads(Samples samples) {
        Reloads reloads = gateway.reloads();
        for (Reloads.Result result : Reloads.Result.values()) {
            samples.add(Metric.CONFIG_RELOADS, reloads.countOf(result), result.label());
        }
        samples.add(Metric.CONFIG_LAST_RELOAD, reloads.isLastSuccessful() ? 1 : 0);
    }

    private void unrouted(Samples samples) {
        Counters counters = gateway.unrouted();
        for (Ending ending : Ending.values()) {
            for (StatusClass status : StatusClass.values()) {
                long count = counters.count(ending, status);
                boolean common = (ending == Ending.NO_ROUTE || ending == Ending.BAD_REQUEST)
                        && status == StatusClass.CLIENT_ERROR;
                if (count > 0 || common) {
                    samples.add(Metric.UNROUTED_REQUESTS, count, status.label(), ending.reason());
                }
            }
        }
    }
}
