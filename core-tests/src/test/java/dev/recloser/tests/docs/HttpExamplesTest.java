package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.http.EndpointHttpClient;
import dev.recloser.http.RecloserHttpClient;
import dev.recloser.http.RequestRejectedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples in docs/http.md and in the README. */
@Timeout(30)
class HttpExamplesTest {

    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private HttpRequest request;

    /** Answers 200, or what the path says. */
    @BeforeEach
    void startService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            String path = exchange.getRequestURI().getPath().substring(1);
            byte[] body = "paid".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(path.matches("[1-5][0-9][0-9]") ? Integer.parseInt(path) : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        request = to("/");
    }

    @AfterEach
    void stopService() {
        server.stop(0);
    }

    private HttpRequest to(String path) {
        return HttpRequest.newBuilder(uri(path)).build();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    @Test
    void swapTheConstruction() throws Exception {
        HttpClient client = RecloserHttpClient.newBuilder("payments")
                .connectTimeout(Duration.ofSeconds(1))
                .build();

        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());

        assertThat(response.body()).isEqualTo("paid");
    }

    @Test
    void changedAndLeftOut() throws Exception {
        HttpClient client = RecloserHttpClient.newBuilder("payments")
                .pipeline(standard -> standard.totalTimeout(Duration.ofSeconds(5))
                        .attemptTimeout(Duration.ofSeconds(1))
                        .retry(retry -> retry.maxRetries(2).exponentialBackoff(Duration.ofMillis(200)))
                        .without(StandardPipelineBuilder.CONCURRENCY_LIMITER))
                .build();

        assertThat(client.send(to("/503"), BodyHandlers.ofString()).statusCode())
                .isEqualTo(503);
        assertThat(requests).hasValue(3);
    }

    @Test
    void safeToRepeat() throws Exception {
        HttpClient client = RecloserHttpClient.newBuilder("search")
                .safeToRepeat(r -> r.uri().getPath().equals("/search")) // a POST that only reads
                .build();

        HttpRequest search = HttpRequest.newBuilder(uri("/search"))
                .POST(BodyPublishers.ofString("?"))
                .build();
        assertThat(client.send(search, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    @Test
    void rejected() throws Exception {
        RecloserHttpClient client = RecloserHttpClient.newHttpClient("payments");
        client.pipeline(request).strategy(CircuitBreaker.class).orElseThrow().isolate();

        String answer;
        try {
            answer = client.send(request, BodyHandlers.ofString()).body();
        } catch (RequestRejectedException rejected) {
            answer = "unknown, ask again in "
                    + rejected.rejection().retryAfter().orElse(Duration.ZERO).toSeconds() + " s";
        }

        assertThat(answer).isEqualTo("unknown, ask again in 0 s");
        assertThat(requests).hasValue(0);
    }

    @Test
    void partitions() throws Exception {
        RecloserHttpClient client = RecloserHttpClient.newBuilder("tenants")
                .partitionBy(r -> r.headers().firstValue("X-Region").orElse(null)) // null: the authority
                .maxPartitions(50)
                .build();

        HttpRequest north =
                HttpRequest.newBuilder(uri("/")).header("X-Region", "north").build();
        client.send(north, BodyHandlers.discarding());
        client.send(request, BodyHandlers.discarding());
        assertThat(client.pipelines())
                .containsOnlyKeys("north", "127.0.0.1:" + server.getAddress().getPort());
    }

    @Test
    void aPipelineOfOnesOwn() throws Exception {
        Classifier<HttpResponse<?>> onlyWithoutConnection = Classifier.<HttpResponse<?>>defaults()
                .handle(ConnectException.class)
                .handle(HttpConnectTimeoutException.class)
                .onlyWhatIsNamed();
        HttpClient client = RecloserHttpClient.newBuilder("quotes")
                .customPipeline(partition -> Pipeline.<HttpResponse<?>>named("quotes/" + partition)
                        .circuitBreaker(
                                cb -> cb.classifier(onlyWithoutConnection).failureRatio(0.5))
                        .timeout(Duration.ofSeconds(1))
                        .build())
                .build();

        assertThat(client.send(to("/503"), BodyHandlers.ofString()).statusCode())
                .isEqualTo(503);
        assertThat(requests).hasValue(1);
    }

    @Test
    void severalEndpoints() {
        HttpClient orders = EndpointHttpClient.newBuilder("orders")
                .endpoint(URI.create("https://eu.example.com/v1"))
                .endpoint(URI.create("https://us.example.com/v1"))
                .hedgeAfter(Duration.ofMillis(200))
                .build();
        // http://orders/status?id=42 goes to https://eu.example.com/v1/status?id=42

        assertThat(orders)
                .hasToString("EndpointHttpClient orders [https://eu.example.com/v1, https://us.example.com/v1]");
    }

    @Test
    void settingsFromProperties() throws IOException {
        RecloserHttpClient client = RecloserHttpClient.newBuilder("payments")
                .pipeline(
                        standard -> standard.totalTimeout(Duration.ofSeconds(5)).attemptTimeout(Duration.ofSeconds(2)))
                .properties(Map.of(
                        "recloser.http.payments.attemptTimeout", "1s",
                        "recloser.http.default.retry.maxRetries", "1"))
                .build();

        String document = Files.readString(Path.of("../docs/http.md"));
        String printed = document.substring(document.indexOf("```text") + 8, document.indexOf("  ...\n```"));
        assertThat(client.settings().toString()).startsWith(printed);
    }
}
