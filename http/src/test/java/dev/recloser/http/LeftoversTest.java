package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses that nobody sees, and streams that the timeouts cover. */
class LeftoversTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";

    private static RecloserHttpClient retryingOn404() {
        return quick().pipeline(standard ->
                        standard.retry(retry -> retry.classifier(Classifier.<HttpResponse<?>>defaults()
                                .handleResult(
                                        "status 404", response -> response != null && response.statusCode() == 404))))
                .build();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void publisherThatCannotBeCancelledDoesNotKeepTheCallFromItsEnd(SendMode mode) {
        ScriptedServer server = server(ScriptedServer.status(404, ""), ScriptedServer.status(200, ""));
        Flow.Publisher<String> refusing = subscriber -> {
            throw new IllegalStateException("nobody may subscribe");
        };
        BodyHandler<Flow.Publisher<String>> handler = BodyHandlers.replacing(refusing);
        RecloserHttpClient client = retryingOn404();
        SendMode.Sent<Flow.Publisher<String>> sent = mode.start(client, get(server), handler);
        assertThat(sent.future().orTimeout(5, TimeUnit.SECONDS).join().statusCode())
                .isEqualTo(200);
        client.shutdown();
        Await.until(client::isTerminated);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void headWithATransientStatusAndALongContentLengthKeepsItsConnection(SendMode mode) {
        ScriptedServer server = server(
                ScriptedServer.status(503, "x".repeat(70_000)),
                ScriptedServer.status(503, "x".repeat(70_000)),
                ScriptedServer.status(200, "x".repeat(70_000)));
        RecloserHttpClient client = quick().pipeline(
                        standard -> standard.retry(retry -> retry.constantDelay(Duration.ofMillis(50))))
                .build();
        for (int i = 0; i < 20; i++) {
            server.then(
                    ScriptedServer.status(503, "x".repeat(70_000)),
                    ScriptedServer.status(503, "x".repeat(70_000)),
                    ScriptedServer.status(200, "x".repeat(70_000)));
            assertThat(mode.send(
                                    client,
                                    request(server, builder -> builder.method("HEAD", BodyPublishers.noBody())),
                                    BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(server.closedByClient()).isZero();
        assertThat(server.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void answerThatThePipelineWrapsKeepsItsStream(SendMode mode) throws IOException {
        ScriptedServer server = server(ScriptedServer.status(404, "body"));
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .customPipeline(key -> Pipeline.<HttpResponse<?>>named(key)
                        .fallback(fallback -> fallback.classifier(Classifier.<HttpResponse<?>>defaults()
                                        .handleResult("status 404", response -> response.statusCode() == 404))
                                .valueFrom((response, error) -> wrapped(response)))
                        .build())
                .build();
        try (InputStream body =
                mode.send(client, get(server), BodyHandlers.ofInputStream()).body()) {
            assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("body");
        }
    }

    private static HttpResponse<?> wrapped(HttpResponse<?> response) {
        return new AnsweredResponse<Object>(response, response.body());
    }

    @Test
    void timeoutsThatCoverTheBodyHoldForADependentThatReadsIt() {
        ScriptedServer server =
                server(ScriptedServer.rawThenSilence("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"));
        RecloserHttpClient client = quick().pipeline(standard -> standard.attemptTimeout(Duration.ofMillis(400)))
                .timeoutsCoverBody()
                .build();
        CompletableFuture<Integer> read = client.sendAsync(get(server), BodyHandlers.ofInputStream())
                .thenApply(response -> {
                    try (InputStream body = response.body()) {
                        return body.readAllBytes().length;
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
        assertThatThrownBy(() -> read.get(5, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(java.net.http.HttpTimeoutException.class);
    }
}
