package dev.recloser.gateway.metrics;

import dev.recloser.gateway.proxy.LatencySnapshot;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The values of all metrics of one scrape. */
final class Samples {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** One value. */
    private record Sample(Labels labels, double value) {}

    private final Map<Metric, List<Sample>> values = new EnumMap<>(Metric.class);
    private final Map<Metric, List<HistogramDataPointSnapshot>> histograms = new EnumMap<>(Metric.class);

    /** A count. The values of the labels come in the order of their names. */
    void add(Metric metric, long count, String... labels) {
        add(metric, (double) count, labels);
    }

    void add(Metric metric, double value, String... labels) {
        values.computeIfAbsent(metric, any -> new ArrayList<>()).add(new Sample(labels(metric, labels), value));
    }

    /** The boundaries are in nanoseconds. */
    void add(Metric metric, LatencySnapshot snapshot, long[] boundaries, String... labels) {
        histograms
                .computeIfAbsent(metric, any -> new ArrayList<>())
                .add(dataPoint(snapshot, boundaries, labels(metric, labels)));
    }

    private static HistogramDataPointSnapshot dataPoint(LatencySnapshot times, long[] boundaries, Labels labels) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long before = 0;
        for (long boundary : boundaries) {
            long upTo = times.upTo(boundary);
            buckets.bucket(boundary / NANOS_PER_SECOND, upTo - before);
            before = upTo;
        }
        buckets.bucket(Double.POSITIVE_INFINITY, times.count() - before);
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(buckets.build())
                .sum(times.sumNanos() / NANOS_PER_SECOND)
                .build();
    }

    private static Labels labels(Metric metric, String[] values) {
        return Labels.of(metric.labels(), List.of(values));
    }

    /** Those metrics that have values. */
    List<MetricSnapshot> snapshots() {
        List<MetricSnapshot> snapshots = new ArrayList<>();
        values.forEach((metric, samples) -> snapshots.add(snapshot(metric, samples)));
        histograms.forEach((metric, points) -> snapshots.add(new HistogramSnapshot(metric.metadata(), points)));
        return snapshots;
    }

    private static MetricSnapshot snapshot(Metric metric, List<Sample> samples) {
        return switch (metric.type()) {
            case COUNTER ->
                new CounterSnapshot(
                        metric.metadata(),
                        samples.stream()
                                .map(sample -> CounterDataPointSnapshot.builder()
                                        .labels(sample.labels())
                                        .value(sample.value())
                                        .build())
                                .toList());
            case GAUGE ->
                new GaugeSnapshot(
                        metric.metadata(),
                        samples.stream()
                                .map(sample -> GaugeDataPointSnapshot.builder()
                                        .labels(sample.labels())
                                        .value(sample.value())
                                        .build())
                                .toList());
            case INFO ->
                new InfoSnapshot(
                        metric.metadata(),
                        samples.stream()
                                .map(sample -> new InfoDataPointSnapshot(sample.labels()))
                                .toList());
            case HISTOGRAM -> throw new IllegalArgumentException(metric + " has times, not values");
        };
    }
}
