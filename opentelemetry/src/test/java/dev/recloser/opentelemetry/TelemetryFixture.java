package dev.recloser.opentelemetry;

import dev.recloser.Pipeline;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** What the tests share: an SDK that keeps what it gets, and calls within a span. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class TelemetryFixture {

    final InMemorySpanExporter spans = InMemorySpanExporter.create();
    final InMemoryMetricReader metrics = InMemoryMetricReader.create();
    final OpenTelemetrySdk sdk = sdk(Sampler.alwaysOn());
    final Tracer tracer = sdk.getTracer("test");
    final RecloserTelemetry telemetry = RecloserTelemetry.of(sdk);

    /** Threads of somebody else's, which know nothing of contexts. */
    final ExecutorService elsewhere = Executors.newCachedThreadPool();

    /** Work that may fail. */
    interface Work {
        String run() throws Exception;
    }

    /** The two ways in which a pipeline runs calls. */
    enum Way {
        BLOCKING,
        ASYNC
    }

    final OpenTelemetrySdk sdk(Sampler sampler) {
        return OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .setSampler(sampler)
                        .build())
                .setMeterProvider(
                        SdkMeterProvider.builder().registerMetricReader(metrics).build())
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build();
    }

    @AfterEach
    void closeAll() {
        telemetry.close();
        sdk.close();
        elsewhere.shutdownNow();
    }

    // ---- calls

    /** Runs a call and returns what it ended in: a value, or the exception. An asynchronous one goes on on a thread of somebody else's. */
    final Object call(Way way, Pipeline<String> pipeline, Work work) {
        try {
            if (way == Way.BLOCKING) {
                return pipeline.call(work::run);
            }
            return pipeline.callAsync(() -> startElsewhere(work)).get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            return failed.getCause();
        } catch (Exception error) {
            return error;
        }
    }

    /** What the work does is done here, and told from elsewhere. */
    private CompletableFuture<String> startElsewhere(Work work) {
        CompletableFuture<String> future = new CompletableFuture<>();
        try {
            String value = work.run();
            elsewhere.execute(() -> future.complete(value));
        } catch (Exception error) {
            elsewhere.execute(() -> future.completeExceptionally(error));
        }
        return future;
    }

    /** Does something within a span, and returns the span when it has ended. */
    final SpanData inSpan(String name, Callable<?> what) throws Exception {
        Span span = tracer.spanBuilder(name).startSpan();
        try (Scope ignored = span.makeCurrent()) {
            what.call();
        } finally {
            span.end();
        }
        return finished(name);
    }

    final SpanData finished(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static List<String> names(SpanData span) {
        return span.getEvents().stream().map(EventData::getName).toList();
    }

    /** An event of a span, as text: attributes by name. */
    static Map<String, Object> attributes(EventData event) {
        return attributes(event.getAttributes());
    }

    static Map<String, Object> attributes(Attributes attributes) {
        Map<String, Object> all = new TreeMap<>();
        for (Map.Entry<AttributeKey<?>, Object> each : attributes.asMap().entrySet()) {
            all.put(each.getKey().getKey(), each.getValue());
        }
        return all;
    }

    // ---- metrics

    /** The points of a meter at this moment: the value, of histograms the count, by the tags as text. */
    final Map<String, Double> points(String meter) {
        return points(metrics.collectAllMetrics(), meter);
    }

    static Map<String, Double> points(Collection<MetricData> collected, String meter) {
        Map<String, Double> points = new TreeMap<>();
        for (MetricData metric : collected) {
            if (metric.getName().equals(meter)) {
                values(metric).forEach((tags, value) -> points.put(text(tags), value));
            }
        }
        return points;
    }

    private static Map<Attributes, Double> values(MetricData metric) {
        return switch (metric.getType()) {
            case HISTOGRAM ->
                metric.getHistogramData().getPoints().stream()
                        .collect(Collectors.toMap(PointData::getAttributes, point -> (double) point.getCount()));
            case LONG_SUM ->
                metric.getLongSumData().getPoints().stream()
                        .collect(Collectors.toMap(PointData::getAttributes, point -> (double) point.getValue()));
            case DOUBLE_GAUGE ->
                metric.getDoubleGaugeData().getPoints().stream()
                        .collect(Collectors.toMap(PointData::getAttributes, point -> point.getValue()));
            default -> throw new AssertionError(metric.getName() + " is a " + metric.getType());
        };
    }

    private static String text(Attributes tags) {
        return attributes(tags).entrySet().stream()
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(" "));
    }
}
