package dev.recloser.http;

import static dev.recloser.http.ScriptedServer.silence;
import static dev.recloser.http.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The end of a client, which is the same on every JDK. */
class ShutdownTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";

    @ParameterizedTest
    @MethodSource(MODES)
    void noRequestBeginsAfterAShutdown(SendMode mode) throws InterruptedException {
        ScriptedServer server = server();
        RecloserHttpClient client = quickClient();
        mode.send(client, get(server), BodyHandlers.ofString());
        client.shutdown();
        assertThat(mode.start(client, get(server), BodyHandlers.ofString()).error())
                .isInstanceOf(IOException.class)
                .hasMessage("test has been shut down");
        assertThat(client.awaitTermination(Duration.ofSeconds(30))).isTrue();
        assertThat(client.isTerminated()).isTrue();
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void requestUnderWayRunsToItsEndWithItsRetries(SendMode mode) throws InterruptedException {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        ScriptedServer server = server(
                (request, out) -> {
                    mayAnswer.await();
                    return status(503, "busy").write(request, out);
                },
                status(200, "ok"));
        RecloserHttpClient client = quickClient();
        SendMode.Sent<String> sent = mode.start(client, get(server), BodyHandlers.ofString());
        Await.until(() -> server.requests().size() == 1);
        client.shutdown();
        assertThat(client.isTerminated()).isFalse();
        assertThat(client.awaitTermination(Duration.ofMillis(1))).isFalse();
        mayAnswer.countDown();
        assertThat(sent.get().body()).isEqualTo("ok");
        assertThat(client.awaitTermination(Duration.ofSeconds(30))).isTrue();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void shutdownNowCancelsWhatIsUnderWay(SendMode mode) throws InterruptedException {
        ScriptedServer server = server(silence());
        RecloserHttpClient client = quickClient();
        SendMode.Sent<String> sent = mode.start(client, get(server), BodyHandlers.ofString());
        Await.until(() -> server.requests().size() == 1);
        client.shutdownNow();
        assertThat(sent.error()).isInstanceOf(IOException.class);
        Await.until(() -> server.requests().get(0).socket().isClosed());
        assertThat(client.awaitTermination(Duration.ofSeconds(30))).isTrue();
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void shutdownNowEndsABackoff(SendMode mode) throws InterruptedException {
        ScriptedServer server = server(status(503, "busy", "Retry-After: 25"));
        RecloserHttpClient client = quickClient();
        SendMode.Sent<String> sent = mode.start(client, get(server), BodyHandlers.ofString());
        Await.until(() -> retries(client, get(server)) == 1);
        client.shutdownNow();
        assertThat(sent.error()).isInstanceOf(IOException.class);
        assertThat(client.awaitTermination(Duration.ofSeconds(30))).isTrue();
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void closeWaitsForWhatIsUnderWay() {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        ScriptedServer server = server((request, out) -> {
            mayAnswer.await();
            return status(200, "ok").write(request, out);
        });
        SendMode.Sent<String> sent;
        try (RecloserHttpClient client = quickClient()) {
            sent = SendMode.ASYNC.start(client, get(server), BodyHandlers.ofString());
            Await.until(() -> server.requests().size() == 1);
            mayAnswer.countDown();
        }
        // Its dependents may be running: they may close the client too.
        assertThat(sent.future())
                .succeedsWithin(Duration.ofSeconds(30))
                .satisfies(response -> assertThat(response.body()).isEqualTo("ok"));
    }

    @Test
    void closeThatIsInterruptedCancelsWhatIsUnderWayAndKeepsTheInterrupt() {
        ScriptedServer server = server(silence());
        RecloserHttpClient client = quickClient();
        SendMode.Sent<String> sent = SendMode.ASYNC.start(client, get(server), BodyHandlers.ofString());
        Await.until(() -> server.requests().size() == 1);
        Thread.currentThread().interrupt();
        client.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(sent.error()).isInstanceOf(IOException.class);
    }

    @Test
    void closingTwiceIsClosing() {
        RecloserHttpClient client = quickClient();
        client.close();
        client.close();
        assertThat(client.isTerminated()).isTrue();
        assertThatThrownBy(() -> client.send(get(server()), BodyHandlers.ofString()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void transportThatWasGivenIsNotShutDown() throws IOException, InterruptedException {
        ScriptedServer server = server();
        HttpClient transport = HttpClient.newHttpClient();
        RecloserHttpClient client =
                RecloserHttpClient.newBuilder("test").around(transport).build();
        client.send(get(server), BodyHandlers.ofString());
        client.close();
        assertThat(client.isTerminated()).isTrue();
        assertThat(transport.send(get(server), BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }
}
