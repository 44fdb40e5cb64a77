package dev.recloser.http;

import static dev.recloser.http.ScriptedServer.rawThenSilence;
import static dev.recloser.http.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that are collected, that are streamed, and that are held back. */
class BodiesTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";

    private static final String TRUNCATED = "Content-Length: 100\r\n\r\nnot a hundred";

    private static RecloserHttpClientBuilder impatient() {
        return quick().pipeline(standard -> standard.attemptTimeout(Duration.ofMillis(400)));
    }

    // ---- streamed

    @ParameterizedTest
    @MethodSource(MODES)
    void streamedBodyIsReadAfterTheHeadersAreThere(SendMode mode) throws IOException {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        ScriptedServer server = server((request, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
            mayGoOn.await();
            write(out, "def");
            return true;
        });
        HttpResponse<InputStream> response = mode.send(quickClient(), get(server), BodyHandlers.ofInputStream());
        mayGoOn.countDown();
        try (InputStream body = response.body()) {
            assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("abcdef");
        }
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void streamedBodyThatBreaksOffIsItsReadersException(SendMode mode) {
        ScriptedServer server = server(ScriptedServer.raw("HTTP/1.1 200 OK\r\n" + TRUNCATED));
        RecloserHttpClient client = quickClient();
        HttpResponse<InputStream> response = mode.send(client, get(server), BodyHandlers.ofInputStream());
        assertThatThrownBy(() -> readAll(response.body())).isInstanceOf(IOException.class);
        assertThat(server.requests()).hasSize(1);
        assertThat(circuit(client, get(server)).failures()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void streamedBodyMayTakeLongerThanTheAttempt(SendMode mode) throws IOException {
        CountDownLatch isLate = new CountDownLatch(1);
        ScriptedServer server = server((request, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n");
            isLate.await();
            write(out, "abc");
            return true;
        });
        RecloserHttpClient client = quick().pipeline(standard -> standard.attemptTimeout(Duration.ofMillis(400)))
                .build();
        HttpResponse<InputStream> response = mode.send(client, get(server), BodyHandlers.ofInputStream());
        // Another request that times out: so the time of the first attempt is over, too.
        ScriptedServer silent = server(ScriptedServer.silence());
        mode.start(client, get(silent), BodyHandlers.ofString()).error();
        isLate.countDown();
        assertThat(readAll(response.body())).isEqualTo("abc");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutsThatCoverTheBodyCutAStream(SendMode mode) {
        ScriptedServer server = server(rawThenSilence("HTTP/1.1 200 OK\r\n" + TRUNCATED));
        RecloserHttpClient client = impatient().timeoutsCoverBody().build();
        HttpResponse<InputStream> response = mode.send(client, get(server), BodyHandlers.ofInputStream());
        assertThatThrownBy(() -> readAll(response.body()))
                .isInstanceOf(IOException.class)
                .satisfies(error -> assertThat(chain(error)).anyMatch(HttpTimeoutException.class::isInstance));
        Await.until(() -> server.requests().get(0).socket().isClosed());
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutsThatCoverTheBodyCutLines(SendMode mode) {
        ScriptedServer server = server(rawThenSilence("HTTP/1.1 200 OK\r\n" + TRUNCATED));
        RecloserHttpClient client = impatient().timeoutsCoverBody().build();
        HttpResponse<Stream<String>> response = mode.send(client, get(server), BodyHandlers.ofLines());
        assertThatThrownBy(() -> response.body().toList())
                .isInstanceOf(UncheckedIOException.class)
                .satisfies(error -> assertThat(chain(error)).anyMatch(HttpTimeoutException.class::isInstance));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutsThatCoverTheBodyCutAPublisher(SendMode mode) {
        ScriptedServer server = server(rawThenSilence("HTTP/1.1 200 OK\r\n" + TRUNCATED));
        RecloserHttpClient client = impatient().timeoutsCoverBody().build();
        HttpResponse<Flow.Publisher<List<ByteBuffer>>> response =
                mode.send(client, get(server), BodyHandlers.ofPublisher());
        CompletableFuture<Throwable> error = new CompletableFuture<>();
        response.body().subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(List<ByteBuffer> item) {}

            @Override
            public void onError(Throwable throwable) {
                error.complete(throwable);
            }

            @Override
            public void onComplete() {
                error.complete(new AssertionError("the body is complete"));
            }
        });
        assertThat(error.join()).isInstanceOf(HttpTimeoutException.class);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutsThatCoverTheBodyLeaveOneAloneThatComesInTime(SendMode mode) throws IOException {
        ScriptedServer server = server(status(200, "x".repeat(100_000)));
        RecloserHttpClient client = quick().timeoutsCoverBody().build();
        HttpResponse<InputStream> streamed = mode.send(client, get(server), BodyHandlers.ofInputStream());
        assertThat(readAll(streamed.body())).hasSize(100_000);
        assertThat(mode.send(client, get(server), BodyHandlers.ofString()).body())
                .hasSize(100_000);
        assertThat(server.connections()).isEqualTo(1);
    }

    // ---- collected

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptTimeoutCoversABodyThatIsCollected(SendMode mode) {
        ScriptedServer server = server(rawThenSilence("HTTP/1.1 200 OK\r\n" + TRUNCATED), status(200, "ok"));
        RecloserHttpClient client = impatient().build();
        assertThat(mode.send(client, get(server), BodyHandlers.ofString()).body())
                .isEqualTo("ok");
        assertThat(circuit(client, get(server)).failures()).isEqualTo(1);
        assertThat(server.requests()).hasSize(2);
    }

    // ---- held back

    @ParameterizedTest
    @MethodSource(MODES)
    void heldBodyCanBeStreamed(SendMode mode) throws IOException {
        ScriptedServer server = server(status(503, "x".repeat(200_000)));
        HttpResponse<InputStream> response = mode.send(quickClient(), get(server), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(readAll(response.body())).hasSize(200_000);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void heldBodyCanBeEmpty(SendMode mode) {
        ScriptedServer server = server(status(503, ""));
        assertThat(mode.send(quickClient(), get(server), BodyHandlers.ofString())
                        .body())
                .isEmpty();
        HttpResponse<String> head = mode.send(
                quickClient(),
                request(server, builder -> builder.method("HEAD", BodyPublishers.noBody())),
                BodyHandlers.ofString());
        assertThat(head.statusCode()).isEqualTo(503);
        assertThat(head.body()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void heldBodyCanBeDiscardedOrReplaced(SendMode mode) {
        ScriptedServer server = server(status(503, "busy"));
        assertThat(mode.send(quickClient(), get(server), BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(503);
        assertThat(mode.send(quickClient(), get(server), BodyHandlers.replacing("instead"))
                        .body())
                .isEqualTo("instead");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void heldBodyThatBreaksOffIsAnException(SendMode mode) {
        ScriptedServer server = server(ScriptedServer.raw("HTTP/1.1 503 Busy\r\n" + TRUNCATED));
        assertThat(mode.start(quickClient(), get(server), BodyHandlers.ofString())
                        .error())
                .isInstanceOf(IOException.class);
        assertThat(server.requests()).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void heldBodyThatDoesNotComeIsAwaitedNoLongerThanItsAttempt(SendMode mode) {
        ScriptedServer server = server(rawThenSilence("HTTP/1.1 503 Busy\r\n" + TRUNCATED));
        Throwable error = mode.start(impatient().build(), get(server), BodyHandlers.ofString())
                .error();
        assertThat(error).isInstanceOf(HttpTimeoutException.class);
        assertThat(server.requests()).hasSize(3).allSatisfy(request -> Await.until(request.socket()::isClosed));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThatWaitsForAHeldBodyCanBeCancelled(SendMode mode) {
        ScriptedServer server = server(rawThenSilence("HTTP/1.1 503 Busy\r\n" + TRUNCATED));
        CountDownLatch isWaiting = new CountDownLatch(1);
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .pipeline(standard -> standard.without("retry"))
                .build();
        SendMode.Sent<String> sent = mode.start(client, get(server), info -> {
            isWaiting.countDown();
            return HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8);
        });
        Await.until(() -> isWaiting.getCount() == 0);
        sent.cancel();
        sent.error();
        Await.until(() -> server.requests().get(0).socket().isClosed());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void handlerThatThrowsForAHeldBodyLeavesNoConnection(SendMode mode) {
        ScriptedServer server = server(rawThenSilence("HTTP/1.1 503 Busy\r\nContent-Length: 70000\r\n\r\n"));
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .pipeline(standard -> standard.without("retry"))
                .build();
        Throwable error = mode.<String>start(client, get(server), info -> {
                    throw new IllegalStateException("a bug");
                })
                .error();
        assertThat(error).hasMessage("a bug");
        Await.until(() -> server.requests().get(0).socket().isClosed());
    }

    // ---- what the tests share

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String readAll(InputStream body) throws IOException {
        try (body) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<Throwable> chain(Throwable error) {
        return Stream.iterate(error, each -> each != null, Throwable::getCause).toList();
    }
}
