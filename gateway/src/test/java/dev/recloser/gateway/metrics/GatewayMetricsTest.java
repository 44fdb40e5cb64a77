package dev.recloser.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.proxy.TestIdentity;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read at /metrics is what has happened. */
class GatewayMetricsTest {

    private static final String OPEN_METRICS =
            "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5";

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer service;
    private Gateway gateway;
    private GatewayMetrics metrics;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        service.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().endsWith("fail") ? 500 : 200, 5);
            exchange.getResponseBody().write("hello".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        service.start();
        gateway = Gateway.start(
                ConfigReader.parse("c.yaml", """
                listen: 127.0.0.1:0
                routes:
                  - { match: { path: /a/** }, cluster: accounts }
                  - { match: { path: /t/** }, cluster: transfers }
                clusters:
                  accounts: { destinations: [ "http://127.0.0.1:%1$d" ] }
                  transfers: { destinations: [ "http://127.0.0.1:%1$d" ] }
                """.formatted(service.getAddress().getPort()))
                        .config()
                        .orElseThrow());
        metrics = new GatewayMetrics(gateway);
    }

    @AfterEach
    void stop() {
        metrics.close();
        gateway.close();
        service.stop(0);
    }

    private int send(String method, String path, String body) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + path);
        return client.send(
                        HttpRequest.newBuilder(uri)
                                .method(method, BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    /** The values of all series, by name and labels. */
    private Map<String, Double> values() {
        return values(metrics);
    }

    private static Map<String, Double> values(GatewayMetrics metrics) {
        Map<String, Double> values = new HashMap<>();
        metrics.scrape(null)
                .text()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> {
                    int end = line.lastIndexOf(' ');
                    values.put(
                            line.substring(0, end),
                            Double.valueOf(line.substring(end + 1).replace("+Inf", "Infinity")));
                });
        return values;
    }

    private void awaitValue(String series, double expected) throws InterruptedException {
        long end = System.nanoTime() + 10_000_000_000L;
        while (!values().get(series).equals(expected) && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        assertThat(values()).containsEntry(series, expected);
    }

    @Test
    void everyMetricIsThereFromTheStartForEveryCluster() {
        Map<String, Double> values = values();
        for (Metric metric : Metric.values()) {
            if (metric.labels().contains("limiter") || metric.labels().contains("file")) {
                assertThat(values.keySet()).noneMatch(one -> one.startsWith(metric.fullName()));
                continue; // none is configured
            }
            String name = metric.fullName() + (metric.type() == Metric.Type.HISTOGRAM ? "_count" : "");
            List<String> series = values.keySet().stream()
                    .filter(one -> one.equals(name) || one.startsWith(name + "{"))
                    .toList();
            assertThat(series).as(name).isNotEmpty();
            if (metric.labels().contains("cluster")) {
                assertThat(series)
                        .anyMatch(one -> one.contains("cluster=\"accounts\""))
                        .anyMatch(one -> one.contains("cluster=\"transfers\""));
            }
        }
        assertThat(values)
                .containsEntry(
                        "recloser_gateway_requests_total{cluster=\"accounts\",reason=\"circuit-open\",status_class=\"5xx\"}",
                        0.0)
                .containsEntry("recloser_circuit_transitions_total{cluster=\"accounts\",to=\"half-open\"}", 0.0)
                .containsKeys("jvm_threads_current", "process_cpu_seconds_total");
    }

    @Test
    void itIsSaidWhenTheCertificatesOfEachFileExpire(@TempDir Path directory) throws Exception {
        TestIdentity own = new TestIdentity(directory, "own", "EC", "dns:localhost");
        GatewayConfig config = ConfigReader.parse("c.yaml", """
                listen: 127.0.0.1:0
                tls: { certificate: "%s", key: "%s" }
                routes: [ { match: { path: /** }, cluster: accounts } ]
                clusters: { accounts: { destinations: [ "http://127.0.0.1:1" ] } }
                """.formatted(own.certificateFile(), own.keyFile()))
                .config()
                .orElseThrow();
        try (Gateway secure = Gateway.start(config);
                GatewayMetrics ofSecure = new GatewayMetrics(secure)) {
            assertThat(values(ofSecure))
                    .containsEntry(
                            "recloser_gateway_certificate_expiry_timestamp_seconds{file=\"%s\"}"
                                    .formatted(own.certificateFile()),
                            (double) own.certificate().getNotAfter().toInstant().getEpochSecond());
        }
    }

    @Test
    void requestsAreCountedByClusterStatusAndReason() throws Exception {
        send("GET", "/a/1", "");
        send("POST", "/a/1", "seven77");
        send("GET", "/t/fail", "");
        send("GET", "/elsewhere", "");
        awaitValue("recloser_gateway_overhead_seconds_count{cluster=\"transfers\"}", 1);
        assertThat(values())
                .containsEntry(
                        "recloser_gateway_requests_total{cluster=\"accounts\",reason=\"ok\",status_class=\"2xx\"}", 2.0)
                .containsEntry(
                        "recloser_gateway_requests_total{cluster=\"transfers\",reason=\"upstream-5xx\",status_class=\"5xx\"}",
                        1.0)
                .containsEntry(
                        "recloser_gateway_unrouted_requests_total{reason=\"no-route\",status_class=\"4xx\"}", 1.0)
                .containsEntry("recloser_gateway_body_bytes_total{cluster=\"accounts\",direction=\"request\"}", 7.0)
                .containsEntry("recloser_gateway_body_bytes_total{cluster=\"accounts\",direction=\"response\"}", 10.0)
                .containsEntry("recloser_gateway_requests_in_flight{cluster=\"accounts\"}", 0.0)
                .containsEntry("recloser_gateway_service_seconds_count{cluster=\"accounts\"}", 2.0)
                .containsEntry("recloser_gateway_service_seconds_count{cluster=\"transfers\"}", 1.0)
                .containsEntry("recloser_circuit_calls{cluster=\"transfers\"}", 1.0)
                .containsEntry("recloser_circuit_ratio{cluster=\"transfers\"}", 1.0)
                .containsEntry("recloser_circuit_ratio{cluster=\"accounts\"}", 0.0);
    }

    @Test
    void bucketsGrowUpToTheCount() throws Exception {
        for (int i = 0; i < 20; i++) {
            send("GET", "/a/1", "");
        }
        awaitValue("recloser_gateway_overhead_seconds_count{cluster=\"accounts\"}", 20);
        for (String name : List.of("recloser_gateway_service_seconds", "recloser_gateway_overhead_seconds")) {
            List<Double> buckets = metrics.scrape(null)
                    .text()
                    .lines()
                    .filter(line -> line.startsWith(name + "_bucket{cluster=\"accounts\""))
                    .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
                    .toList();
            assertThat(buckets).hasSizeBetween(12, 16).isSorted().endsWith(20.0);
            assertThat(values().get(name + "_sum{cluster=\"accounts\"}")).isPositive();
        }
    }

    @Test
    void circuitIsSeenInEachStateWithItsTransitionsAndRejections() throws Exception {
        for (int i = 0; i < 5; i++) {
            send("GET", "/a/fail", "");
        }
        assertThat(send("GET", "/a/1", "")).isEqualTo(503);
        awaitValue("recloser_circuit_transitions_total{cluster=\"accounts\",to=\"open\"}", 1);
        assertThat(values())
                .containsEntry("recloser_circuit_state{cluster=\"accounts\"}", 2.0)
                .containsEntry("recloser_circuit_state{cluster=\"transfers\"}", 0.0)
                .containsEntry("recloser_rejections_total{cluster=\"accounts\",reason=\"circuit-open\"}", 1.0);
        gateway.clusters().get("accounts").breaker().isolate();
        assertThat(send("GET", "/a/1", "")).isEqualTo(503);
        awaitValue("recloser_circuit_transitions_total{cluster=\"accounts\",to=\"isolated\"}", 1);
        assertThat(values())
                .containsEntry("recloser_circuit_state{cluster=\"accounts\"}", 3.0)
                .containsEntry("recloser_rejections_total{cluster=\"accounts\",reason=\"circuit-isolated\"}", 1.0);
    }

    @Test
    void transitionsAreCountedUntilTheMetricsAreClosed() throws Exception {
        CircuitBreaker breaker = gateway.clusters().get("accounts").breaker();
        CountDownLatch told = new CountDownLatch(21);
        breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                told.countDown();
            }
        });
        breaker.isolate();
        awaitValue("recloser_circuit_transitions_total{cluster=\"accounts\",to=\"isolated\"}", 1);
        metrics.close();
        for (int i = 0; i < 10; i++) {
            breaker.close();
            breaker.isolate();
        }
        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(values().keySet()).isNotEmpty().noneMatch(series -> series.contains("cluster=\"accounts\""));
    }

    @Tag("once")
    @Test
    void noSeriesComesFromWhatARequestBrings() throws Exception {
        gateway.clusters().get("accounts").breaker().isolate();
        pipeline(1, "warm");
        Set<String> before = series(metrics.scrape(null));
        pipeline(25_000, "secret");
        assertThat(series(metrics.scrape(null))).isEqualTo(before);
        assertThat(values().get("recloser_gateway_requests_total{cluster=\"accounts\",reason=\"circuit-isolated\","
                        + "status_class=\"5xx\"}"))
                .isEqualTo(50_002);
    }

    /** Sends requests that differ in all that a client chooses, on one connection, and reads the answers: four in each round. */
    private void pipeline(int rounds, String key) throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(gateway.address());
            socket.setSoTimeout(10_000);
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 32_768);
                    for (int i = 0; i < rounds; i++) {
                        out.write(round(key + i).getBytes(StandardCharsets.US_ASCII));
                    }
                    out.write("GET /end HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            long answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .lines()
                    .mapToLong(line -> line.split("HTTP/1.1 [45]", -1).length - 1)
                    .sum();
            sent.get(10, TimeUnit.SECONDS);
            assertThat(answers).isEqualTo(4L * rounds + 1);
        }
    }

    private static String round(String key) {
        String rest =
                " HTTP/1.1\r\nHost: " + key + ".test\r\nX-" + key + ": " + key + "\r\ntraceparent: " + key + "\r\n\r\n";
        return "GET /a/" + key + "?token=" + key + rest + "GET /" + key + rest + "GET /t" + key + "/" + key + rest
                + key.toUpperCase(Locale.ROOT) + " /a/" + key + rest;
    }

    @Test
    void openMetricsAndPrometheusTextSayTheSame() {
        Exposition prometheus = metrics.scrape("text/plain");
        Exposition openMetrics = metrics.scrape(OPEN_METRICS);
        assertThat(prometheus.contentType()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        assertThat(openMetrics.contentType()).isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(openMetrics.text()).endsWith("# EOF\n").contains("# UNIT recloser_gateway_service_seconds seconds");
        assertThat(series(openMetrics)).isEqualTo(series(prometheus));
    }

    private static Set<String> series(Exposition exposition) {
        return exposition
                .text()
                .lines()
                .filter(line -> line.startsWith("recloser_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void formatsThatThereAreNotGivePrometheusText() {
        for (String accept : Arrays.asList(
                null,
                "",
                "*/*",
                "nonsense",
                "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily")) {
            assertThat(metrics.scrape(accept).contentType()).as(accept).startsWith("text/plain; version=0.0.4");
        }
    }
}
