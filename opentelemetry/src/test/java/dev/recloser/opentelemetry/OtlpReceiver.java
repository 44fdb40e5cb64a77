package dev.recloser.opentelemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** Takes what is exported over OTLP/HTTP, as a collector does, on loopback. */
final class OtlpReceiver implements AutoCloseable {

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<String> scopes = new CopyOnWriteArrayList<>();
    private final List<Metric> metrics = new CopyOnWriteArrayList<>();

    OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(body(exchange));
            request.getResourceSpansList()
                    .forEach(resource -> resource.getScopeSpansList().forEach(scope -> {
                        spans.addAll(scope.getSpansList());
                    }));
            answer(exchange);
        });
        server.createContext("/v1/metrics", exchange -> {
            ExportMetricsServiceRequest request = ExportMetricsServiceRequest.parseFrom(body(exchange));
            request.getResourceMetricsList()
                    .forEach(resource -> resource.getScopeMetricsList().forEach(scope -> {
                        scopes.add(scope.getScope().getName());
                        metrics.addAll(scope.getMetricsList());
                    }));
            answer(exchange);
        });
        server.start();
    }

    private static InputStream body(HttpExchange exchange) throws IOException {
        InputStream body = exchange.getRequestBody();
        return "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))
                ? new GZIPInputStream(body)
                : body;
    }

    private static void answer(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    String endpoint(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    List<Span> spans() {
        return spans;
    }

    Span span(String name) {
        return spans.stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    List<Span> childrenOf(Span parent) {
        return spans.stream()
                .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
                .toList();
    }

    Metric metric(String name) {
        return metrics.stream()
                .filter(metric -> metric.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    List<String> scopes() {
        return scopes;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
