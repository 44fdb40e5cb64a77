package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.Pipeline;
import dev.recloser.http.HttpOutcomes;
import dev.recloser.http.RecloserHttpClient;
import dev.recloser.time.VirtualTime;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An incident as a collector gets it: over the exporter for OTLP, of requests to a server on loopback. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OtlpExportTest {

    private static final long PATIENCE_SECONDS = 30;

    private final VirtualTime time = VirtualTime.create();
    private final AtomicInteger failures = new AtomicInteger();
    private OtlpReceiver receiver;
    private HttpServer server;
    private OpenTelemetrySdk sdk;
    private Tracer tracer;
    private RecloserTelemetry telemetry;
    private RecloserHttpClient client;
    private HttpRequest request;

    @BeforeEach
    void start() throws IOException {
        receiver = new OtlpReceiver();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(failures.getAndDecrement() > 0 ? 503 : 200, -1);
            exchange.close();
        });
        server.start();
        request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/quote"))
                .build();
        sdk = exporting();
        tracer = sdk.getTracer("test");
        telemetry = RecloserTelemetry.of(sdk);
        client = RecloserHttpClient.newBuilder("quotes")
                .around(TracingHttpClient.around(HttpClient.newHttpClient(), sdk))
                .time(time)
                .customPipeline(name -> Pipeline.<HttpResponse<?>>named(name)
                        .time(time)
                        .circuitBreaker(cb -> cb.openAfterConsecutive(1)
                                .breakDuration(Duration.ofSeconds(5))
                                .classifier(HttpOutcomes.transientFailures()))
                        .retry(retry -> retry.maxRetries(2)
                                .constantDelay(Duration.ZERO)
                                .classifier(HttpOutcomes.transientFailures()))
                        .build())
                .build();
        client.forEachPipeline(telemetry::bind);
    }

    private OpenTelemetrySdk exporting() {
        OtlpHttpSpanExporter spans = OtlpHttpSpanExporter.builder()
                .setEndpoint(receiver.endpoint("/v1/traces"))
                .build();
        OtlpHttpMetricExporter metrics = OtlpHttpMetricExporter.builder()
                .setEndpoint(receiver.endpoint("/v1/metrics"))
                .build();
        return OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(BatchSpanProcessor.builder(spans).build())
                        .build())
                .setMeterProvider(SdkMeterProvider.builder()
                        .registerMetricReader(PeriodicMetricReader.builder(metrics)
                                .setInterval(Duration.ofHours(1))
                                .build())
                        .build())
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build();
    }

    @AfterEach
    void stop() {
        client.close();
        telemetry.close();
        sdk.close();
        server.stop(0);
        receiver.close();
    }

    private int send(TelemetryFixture.Way way, String caller) throws Exception {
        io.opentelemetry.api.trace.Span span = tracer.spanBuilder(caller).startSpan();
        try (Scope ignored = span.makeCurrent()) {
            return way == TelemetryFixture.Way.BLOCKING
                    ? client.send(request, BodyHandlers.discarding()).statusCode()
                    : client.sendAsync(request, BodyHandlers.discarding())
                            .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                            .statusCode();
        } finally {
            span.end();
        }
    }

    private void export() {
        assertThat(sdk.getSdkTracerProvider()
                        .forceFlush()
                        .join(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .isSuccess())
                .isTrue();
        assertThat(sdk.getSdkMeterProvider()
                        .forceFlush()
                        .join(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .isSuccess())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void a_collector_gets_the_retries_the_rejection_and_the_probe(TelemetryFixture.Way way) throws Exception {
        failures.set(2);
        assertThat(send(way, "retrying")).isEqualTo(200);
        failures.set(3);
        assertThat(send(way, "failing")).isEqualTo(503);
        assertThatThrownBy(() -> send(way, "rejected")).isInstanceOfAny(IOException.class, ExecutionException.class);
        failures.set(0);
        time.advance(Duration.ofSeconds(6));
        assertThat(send(way, "probing")).isEqualTo(200);
        export();

        Span retrying = receiver.span("retrying");
        assertThat(events(retrying)).containsExactly("recloser.retry", "recloser.retry");
        List<Span> attempts = receiver.childrenOf(retrying);
        assertThat(attempts).hasSize(3).allMatch(span -> span.getKind() == Span.SpanKind.SPAN_KIND_CLIENT);
        assertThat(attempts).allMatch(span -> span.getTraceId().equals(retrying.getTraceId()));
        assertThat(attempts)
                .extracting(span -> attributes(span.getAttributesList()).get("http.response.status_code"))
                .containsExactly("503", "503", "200");
        assertThat(attempts)
                .extracting(span -> attributes(span.getAttributesList()).get("http.request.resend_count"))
                .containsExactly(null, "1", "2");

        assertThat(events(receiver.span("failing")))
                .containsExactly(
                        "recloser.retry", "recloser.retry", "recloser.retries_exhausted", "recloser.circuit.opened");

        Span rejected = receiver.span("rejected");
        assertThat(events(rejected)).containsExactly("recloser.rejected");
        assertThat(attributes(rejected.getEvents(0).getAttributesList()))
                .contains(entry("recloser.reason", "circuit_open"));
        assertThat(receiver.childrenOf(rejected)).isEmpty();

        Span probing = receiver.span("probing");
        assertThat(events(probing)).containsExactly("recloser.circuit.half_opened", "recloser.circuit.closed");
        assertThat(receiver.childrenOf(probing)).hasSize(1);
        assertThat(receiver.spans()).hasSize(4 + 3 + 3 + 1);
    }

    @ParameterizedTest
    @EnumSource
    void a_collector_gets_the_metrics(TelemetryFixture.Way way) throws Exception {
        failures.set(3);
        send(way, "failing");
        assertThatThrownBy(() -> send(way, "rejected")).isNotNull();
        export();
        String pipeline = client.pipeline(request).name();
        assertThat(receiver.scopes()).containsOnly("dev.recloser");
        Map<String, Double> events = new TreeMap<>();
        for (NumberDataPoint point : receiver.metric("recloser.events").getSum().getDataPointsList()) {
            events.put(attributes(point.getAttributesList()).get("event"), (double) point.getAsInt());
        }
        assertThat(events).containsOnly(entry("retry", 2.0), entry("retries_exhausted", 1.0), entry("opened", 1.0));
        NumberDataPoint rejections =
                receiver.metric("recloser.rejections").getSum().getDataPoints(0);
        assertThat(rejections.getAsInt()).isEqualTo(1);
        assertThat(attributes(rejections.getAttributesList()))
                .contains(entry("pipeline", pipeline), entry("reason", "circuit_open"));
        assertThat(receiver.metric("recloser.circuit.state")
                        .getGauge()
                        .getDataPoints(0)
                        .getAsDouble())
                .isEqualTo(2);
        long attempts = receiver.metric("recloser.attempt.duration").getHistogram().getDataPointsList().stream()
                .mapToLong(HistogramDataPoint::getCount)
                .sum();
        assertThat(attempts).isEqualTo(3);
        assertThat(receiver.metric("recloser.pipeline.duration").getUnit()).isEqualTo("s");
    }

    private static List<String> events(Span span) {
        return span.getEventsList().stream().map(Span.Event::getName).toList();
    }

    private static Map<String, String> attributes(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(Collectors.toMap(
                        KeyValue::getKey,
                        each -> each.getValue().hasIntValue()
                                ? String.valueOf(each.getValue().getIntValue())
                                : each.getValue().getStringValue()));
    }
}
