package dev.recloser.http;

import static dev.recloser.http.ScriptedServer.silence;
import static dev.recloser.http.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.TimedOutException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that are cut: by timeouts of all kinds, and by their callers. */
class CuttingTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";

    // ---- timeouts

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptThatTimesOutClosesItsConnectionAndTheNextOneSucceeds(SendMode mode) {
        ScriptedServer server = server(silence(), silence(), status(200, "ok"));
        RecloserHttpClient client = quick().pipeline(standard -> standard.attemptTimeout(Duration.ofMillis(400)))
                .build();
        assertThat(mode.send(client, get(server), BodyHandlers.ofString()).body())
                .isEqualTo("ok");
        Await.until(() -> server.requests().get(0).socket().isClosed());
        Await.until(() -> server.requests().get(1).socket().isClosed());
        assertThat(circuit(client, get(server)).failures()).isEqualTo(2);
        assertThat(circuit(client, get(server)).calls()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void totalTimeoutIsAnHttpTimeout(SendMode mode) {
        ScriptedServer server = server(silence());
        RecloserHttpClient client = quick().pipeline(standard ->
                        standard.attemptTimeout(Duration.ofMillis(300)).totalTimeout(Duration.ofMillis(300)))
                .build();
        Throwable error =
                mode.start(client, get(server), BodyHandlers.ofString()).error();
        assertThat(error).isInstanceOf(HttpTimeoutException.class).hasCauseInstanceOf(TimedOutException.class);
        assertThat(error).hasMessageContaining("test/127.0.0.1:" + server.port());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutOfTheRequestBoundsAttemptAndCallAndIsCounted(SendMode mode) {
        ScriptedServer server = server(silence());
        RecloserHttpClient client = quickClient();
        HttpRequest request = request(server, builder -> builder.timeout(Duration.ofMillis(400)));
        Throwable error = mode.start(client, request, BodyHandlers.ofString()).error();
        assertThat(error).isInstanceOf(HttpTimeoutException.class);
        assertThat(circuit(client, request).failures()).isEqualTo(1);
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutOfTheRequestLeavesRoomForAnotherAttemptAfterAQuickFailure(SendMode mode) {
        ScriptedServer server = server(status(503, "busy"), status(200, "ok"));
        HttpRequest request = request(server, builder -> builder.timeout(Duration.ofSeconds(10)));
        assertThat(mode.send(quickClient(), request, BodyHandlers.ofString()).body())
                .isEqualTo("ok");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void connectTimeoutIsRetriedAndCountedAndThrownAsItIs(SendMode mode) throws IOException {
        try (FullBacklog nowhere = new FullBacklog()) {
            RecloserHttpClient client =
                    quick().connectTimeout(Duration.ofMillis(300)).build();
            HttpRequest request = get(nowhere.uri());
            Throwable error =
                    mode.start(client, request, BodyHandlers.ofString()).error();
            assertThat(error).isInstanceOf(HttpConnectTimeoutException.class);
            assertThat(retries(client, request)).isEqualTo(2);
            assertThat(circuit(client, request).failures()).isEqualTo(3);
        }
    }

    /** A listener whose queue is full: a connection is neither made nor refused. */
    private static final class FullBacklog implements AutoCloseable {

        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final Socket[] queue = new Socket[4];

        FullBacklog() throws IOException {
            for (int i = 0; i < queue.length; i++) {
                queue[i] = new Socket();
                connect(queue[i]);
            }
        }

        private void connect(Socket socket) throws IOException {
            try {
                socket.connect(new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()), 100);
            } catch (SocketTimeoutException isFull) {
                socket.close();
            }
        }

        URI uri() {
            return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/");
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : queue) {
                socket.close();
            }
            listener.close();
        }
    }

    // ---- callers

    @ParameterizedTest
    @MethodSource(MODES)
    void callerWhoCancelsClosesTheConnectionAndCountsNothing(SendMode mode) {
        ScriptedServer server = server(silence());
        RecloserHttpClient client = quickClient();
        SendMode.Sent<String> sent = mode.start(client, get(server), BodyHandlers.ofString());
        Await.until(() -> server.requests().size() == 1);
        sent.cancel();
        assertThat(sent.error())
                .isInstanceOf(mode == SendMode.ASYNC ? CancellationException.class : InterruptedException.class);
        Await.until(() -> server.requests().get(0).socket().isClosed());
        assertThat(server.requests()).hasSize(1);
        assertThat(circuit(client, get(server)).calls()).isZero();
        assertThat(retries(client, get(server))).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callerWhoCancelsDuringABackoffStartsNoOtherAttempt(SendMode mode) {
        ScriptedServer server = server(status(503, "busy", "Retry-After: 25"));
        RecloserHttpClient client = quickClient();
        SendMode.Sent<String> sent = mode.start(client, get(server), BodyHandlers.ofString());
        Await.until(() -> retries(client, get(server)) == 1);
        sent.cancel();
        sent.error();
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void derivedFutureThatIsCancelledCancelsTheExchange() {
        ScriptedServer server = server(silence());
        CompletableFuture<String> derived =
                quickClient().sendAsync(get(server), BodyHandlers.ofString()).thenApply(HttpResponse::body);
        Await.until(() -> server.requests().size() == 1);
        derived.cancel(true);
        Await.until(() -> server.requests().get(0).socket().isClosed());
    }

    @Test
    void futureThatIsCompletedFromOutsideCancelsTheExchange() {
        ScriptedServer server = server(silence());
        CompletableFuture<HttpResponse<String>> future =
                quickClient().sendAsync(get(server), BodyHandlers.ofString()).orTimeout(300, TimeUnit.MILLISECONDS);
        assertThat(future.handle((response, error) -> error).join()).isInstanceOf(TimeoutException.class);
        Await.until(() ->
                server.requests().isEmpty() || server.requests().get(0).socket().isClosed());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void threadKeepsNoInterruptAfterATimeout(SendMode mode) {
        ScriptedServer server = server(silence(), status(200, "ok"));
        RecloserHttpClient client = quick().pipeline(standard -> standard.attemptTimeout(Duration.ofMillis(300)))
                .build();
        HttpResponse<Boolean> response = mode.send(
                client,
                get(server),
                info -> HttpResponse.BodySubscribers.replacing(
                        Thread.currentThread().isInterrupted()));
        assertThat(response.body()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
