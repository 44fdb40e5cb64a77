package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.http.RecloserHttpClient;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The spans of requests over the client of the JDK, to a server on loopback. */
class TracingHttpClientTest extends TelemetryFixture {

    private final List<String> traceparents = new CopyOnWriteArrayList<>();
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final HttpClient client = TracingHttpClient.around(HttpClient.newHttpClient(), sdk);
    private HttpServer server;

    /** Answers with the status in the path; {@code /held} is answered at the end. */
    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(elsewhere);
        server.createContext("/", exchange -> {
            traceparents.add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
            String path = exchange.getRequestURI().getPath().substring(1);
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (path.equals("held")) {
                arrived.countDown();
                try {
                    held.await();
                } catch (InterruptedException end) {
                    Thread.currentThread().interrupt();
                }
            }
            exchange.sendResponseHeaders(path.matches("[1-5][0-9][0-9]") ? Integer.parseInt(path) : 200, 0);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        held.countDown();
        server.stop(0);
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private HttpResponse<String> send(Way way, HttpRequest request) throws Exception {
        return way == Way.BLOCKING
                ? client.send(request, BodyHandlers.ofString())
                : client.sendAsync(request, BodyHandlers.ofString()).get();
    }

    @ParameterizedTest
    @EnumSource
    void a_request_is_a_client_span_by_the_conventions_and_hands_the_trace_on(Way way) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri("/200?token=secret"))
                .POST(BodyPublishers.ofString("paid"))
                .header("Accept", "text/plain")
                .timeout(Duration.ofSeconds(20))
                .build();
        SpanData caller =
                inSpan("caller", () -> assertThat(send(way, request).body()).isEqualTo("paid"));
        SpanData span = finished("POST");
        assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(span.getParentSpanId()).isEqualTo(caller.getSpanId());
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(attributes(span.getAttributes()))
                .containsOnly(
                        entry("http.request.method", "POST"),
                        entry("http.response.status_code", 200L),
                        entry("network.protocol.version", "1.1"),
                        entry("server.address", "127.0.0.1"),
                        entry("server.port", (long) server.getAddress().getPort()),
                        entry("url.full", uri("/200?token=REDACTED").toString()));
        assertThat(traceparents)
                .hasSize(1)
                .allMatch(header -> header.startsWith("00-" + span.getTraceId() + "-" + span.getSpanId()));
        assertThat(span.getEndEpochNanos()).isLessThanOrEqualTo(caller.getEndEpochNanos());
    }

    @ParameterizedTest
    @CsvSource({"BLOCKING, 404", "BLOCKING, 503", "ASYNC, 404", "ASYNC, 503"})
    void a_status_of_400_or_more_is_an_error(Way way, String status) throws Exception {
        send(way, HttpRequest.newBuilder(uri("/" + status)).build());
        SpanData span = finished("GET");
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attributes(span.getAttributes()))
                .contains(entry("error.type", status), entry("http.response.status_code", Long.valueOf(status)));
    }

    @ParameterizedTest
    @EnumSource
    void a_request_that_fails_says_with_what_and_no_message(Way way) {
        int port = server.getAddress().getPort();
        server.stop(0);
        assertThatThrownBy(() -> send(
                        way,
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port))
                                .build()))
                .isInstanceOfAny(IOException.class, ExecutionException.class);
        SpanData span = finished("GET");
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getStatus().getDescription()).isEmpty();
        assertThat(span.getEvents()).isEmpty();
        assertThat(attributes(span.getAttributes())).containsEntry("error.type", "java.net.ConnectException");
    }

    @Test
    void a_request_that_is_cancelled_ends_its_span_and_the_exchange() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri("/held")).build();
        CompletableFuture<HttpResponse<Void>> exchange = new CompletableFuture<>();
        HttpClient inner = new ForwardingHttpClient(HttpClient.newHttpClient()) {
            @Override
            @SuppressWarnings("unchecked")
            public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                    HttpRequest sent, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushes) {
                return (CompletableFuture<HttpResponse<T>>) (CompletableFuture<?>) exchange;
            }
        };
        CompletableFuture<Integer> derived = TracingHttpClient.around(inner, sdk)
                .sendAsync(request, BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode);
        derived.cancel(true);
        assertThat(exchange).isCancelled();
        assertThat(attributes(finished("GET").getAttributes()))
                .containsEntry("error.type", "java.util.concurrent.CancellationException");
    }

    @Test
    void cancelling_reaches_the_client_of_the_jdk() throws Exception {
        CompletableFuture<HttpResponse<Void>> future =
                client.sendAsync(HttpRequest.newBuilder(uri("/held")).build(), BodyHandlers.discarding());
        arrived.await();
        assertThat(future.cancel(true)).isTrue();
        assertThatThrownBy(() -> future.get(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(finished("GET").hasEnded()).isTrue();
    }

    @Test
    void an_unusual_method_is_one_of_all_others() throws Exception {
        send(
                Way.BLOCKING,
                HttpRequest.newBuilder(uri("/200"))
                        .method("PURGE", BodyPublishers.noBody())
                        .build());
        assertThat(attributes(finished("HTTP").getAttributes()))
                .contains(entry("http.request.method", "_OTHER"), entry("http.request.method_original", "PURGE"));
    }

    @Test
    void without_an_sdk_the_request_goes_out_as_it_is() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri("/200")).build();
        HttpResponse<String> response = TracingHttpClient.around(HttpClient.newHttpClient(), OpenTelemetry.noop())
                .send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(new ClientSpans(OpenTelemetry.noop()).propagating(request, Context.root()))
                .isSameAs(request);
        assertThat(traceparents).containsExactly("null");
    }

    @ParameterizedTest
    @CsvSource({
        "https://user:secret@host/a?x=1&y=2&z#part, https://REDACTED:REDACTED@host/a?x=REDACTED&y=REDACTED&REDACTED",
        "http://token@host:81/, http://REDACTED@host:81/",
        "http://host/a?, http://host/a?",
        "http://host/a?x=1&&y=a=b, http://host/a?x=REDACTED&&y=REDACTED",
        "http://host, http://host",
    })
    void a_url_is_shown_without_what_may_be_secret(String uri, String shown) {
        assertThat(SafeUrl.of(URI.create(uri))).isEqualTo(shown);
    }

    @Test
    void it_has_the_settings_of_the_client_that_it_stands_around() {
        HttpClient inner = HttpClient.newBuilder()
                .connectTimeout(Duration.ofSeconds(3))
                .followRedirects(HttpClient.Redirect.NORMAL)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        HttpClient outer = TracingHttpClient.around(inner, sdk);
        assertThat(outer.connectTimeout()).isEqualTo(inner.connectTimeout());
        assertThat(outer.followRedirects()).isEqualTo(inner.followRedirects());
        assertThat(outer.version()).isEqualTo(inner.version());
        assertThat(outer.executor()).isEqualTo(inner.executor());
        assertThat(outer.proxy()).isEqualTo(inner.proxy());
        assertThat(outer.cookieHandler()).isEqualTo(inner.cookieHandler());
        assertThat(outer.authenticator()).isEqualTo(inner.authenticator());
        assertThat(outer.sslContext()).isEqualTo(inner.sslContext());
        assertThat(outer.sslParameters().getProtocols())
                .isEqualTo(inner.sslParameters().getProtocols());
        assertThat(outer.newWebSocketBuilder()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void attempts_of_a_client_with_pipelines_are_numbered_children_of_the_callers_span(Way way) throws Exception {
        RecloserHttpClient pipelined = RecloserHttpClient.newBuilder("payments")
                .around(client)
                .pipeline(p -> p.retry(retry -> retry.maxRetries(2).constantDelay(Duration.ofMillis(1))))
                .build();
        pipelined.forEachPipeline(telemetry::bind);
        HttpRequest request = HttpRequest.newBuilder(uri("/503")).build();
        SpanData caller = inSpan(
                "caller",
                () -> way == Way.BLOCKING
                        ? pipelined.send(request, BodyHandlers.ofString())
                        : pipelined.sendAsync(request, BodyHandlers.ofString()).get());
        List<SpanData> attempts = spans.getFinishedSpanItems().stream()
                .filter(span -> span.getKind() == SpanKind.CLIENT)
                .toList();
        assertThat(attempts).hasSize(3).allMatch(span -> span.getParentSpanId().equals(caller.getSpanId()));
        assertThat(attempts)
                .extracting(span -> attributes(span.getAttributes()).get("http.request.resend_count"))
                .containsExactly(null, 1L, 2L);
        assertThat(names(caller)).containsExactly("recloser.retry", "recloser.retry", "recloser.retries_exhausted");
    }

    /** With 10^5 distinct requests and messages, over a client that answers none. */
    @Test
    void what_comes_with_requests_makes_no_meters() throws Exception {
        HttpClient failing = new ForwardingHttpClient(HttpClient.newHttpClient()) {
            @Override
            public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
                    throws IOException {
                throw new IOException("no answer from " + request.uri());
            }
        };
        RecloserHttpClient pipelined = RecloserHttpClient.newBuilder("payments")
                .around(failing)
                .pipeline(p -> p.retry(retry -> retry.maxRetries(0)))
                .build();
        pipelined.forEachPipeline(telemetry::bind);
        for (int i = 0; i < 100_000; i++) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:9/" + i + "?id=" + i))
                    .build();
            assertThatThrownBy(() -> pipelined.send(request, BodyHandlers.discarding()))
                    .isInstanceOf(IOException.class);
        }
        for (RecloserMeter meter : RecloserMeter.values()) {
            Map<String, Double> points = points(meter.id());
            assertThat(points).as(meter.id()).hasSizeLessThan(10);
            assertThat(points.keySet()).as(meter.id()).allMatch(point -> point.contains("127.0.0.1:9"));
        }
    }
}
