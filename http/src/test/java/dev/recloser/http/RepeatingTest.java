package dev.recloser.http;

import static dev.recloser.http.ScriptedServer.brokenHead;
import static dev.recloser.http.ScriptedServer.endless;
import static dev.recloser.http.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.PipelineEvent;
import dev.recloser.Registration;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is sent again, when, and what becomes of the response before. */
class RepeatingTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";

    @TempDir
    private Path directory;

    // ---- what

    @ParameterizedTest
    @MethodSource(MODES)
    void postIsNotRepeatedAndItsAnswerIsCounted(SendMode mode) {
        ScriptedServer server = server(status(503, "busy"), status(200, "ok"));
        RecloserHttpClient client = quickClient();
        HttpRequest post = request(server, builder -> builder.POST(BodyPublishers.ofString("order")));
        HttpResponse<String> response = mode.send(client, post, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("busy");
        assertThat(server.requests()).hasSize(1);
        assertThat(circuit(client, post).failures()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void postWithAnIdempotencyKeyIsRepeatedWithItsBody(SendMode mode) {
        ScriptedServer server = server(status(503, "busy"), brokenHead(), status(200, "ok"));
        HttpRequest post = request(
                server, builder -> builder.header("Idempotency-Key", "1").POST(BodyPublishers.ofString("order")));
        assertThat(mode.send(quickClient(), post, BodyHandlers.ofString()).body())
                .isEqualTo("ok");
        assertThat(server.requests())
                .extracting(ScriptedServer.Request::body)
                .containsOnly("order")
                .hasSize(3);
        assertThat(server.requests())
                .extracting(request -> request.header("Idempotency-Key"))
                .containsOnly("1");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void bodyFromAStreamIsSentOnceUnlessItIsSaidToBeReplayable(SendMode mode) {
        ScriptedServer server = server(status(503, "busy"));
        RecloserHttpClient client = quick().safeToRepeat(request -> true).build();
        BodyPublisher stream =
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("order".getBytes(StandardCharsets.UTF_8)));
        mode.send(client, request(server, builder -> builder.POST(stream)), BodyHandlers.ofString());
        assertThat(server.requests()).hasSize(1);
        HttpRequest replayable = request(server, builder -> builder.POST(ReplayableBody.of(stream)));
        mode.send(client, replayable, BodyHandlers.ofString());
        assertThat(server.requests())
                .extracting(ScriptedServer.Request::body)
                .containsOnly("order")
                .hasSize(4);
    }

    // ---- when

    @ParameterizedTest
    @MethodSource(MODES)
    void retryAfterIsWaitedFor(SendMode mode) {
        ScriptedServer server = server(status(503, "busy", "Retry-After: 1"), status(200, "ok"));
        RecloserHttpClient client = quickClient();
        List<PipelineEvent> events = new CopyOnWriteArrayList<>();
        Registration registration = client.addListener(events::add);
        assertThat(mode.send(client, get(server), BodyHandlers.ofString()).body())
                .isEqualTo("ok");
        assertThat(events).extracting(PipelineEvent::delay).containsExactly(Duration.ofSeconds(1));
        registration.remove();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void retryAfterAsADateGoesByTheClockOfTheServer(SendMode mode) {
        ScriptedServer server = server(
                status(
                        429,
                        "busy",
                        "Date: Sun, 06 Nov 2044 08:49:36 GMT",
                        "Retry-After: Sun, 06 Nov 2044 08:49:37 GMT"),
                status(200, "ok"));
        RecloserHttpClient client = quickClient();
        List<PipelineEvent> events = new CopyOnWriteArrayList<>();
        client.addListener(events::add);
        assertThat(mode.send(client, get(server), BodyHandlers.ofString()).body())
                .isEqualTo("ok");
        assertThat(events).extracting(PipelineEvent::delay).containsExactly(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void responseWhoseRetryAfterDoesNotFitTheDeadlineIsReturnedAtOnce(SendMode mode) {
        ScriptedServer server = server(status(503, "come back later", "Retry-After: 20"), status(200, "ok"));
        RecloserHttpClient client = quick().pipeline(standard -> standard.totalTimeout(Duration.ofSeconds(15)))
                .build();
        HttpResponse<String> response = mode.send(client, get(server), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("come back later");
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void responseWhoseRetryAfterDoesNotFitTheTimeoutOfTheRequestIsReturnedAtOnce(SendMode mode) {
        ScriptedServer server = server(status(503, "come back later", "Retry-After: 20"), status(200, "ok"));
        HttpRequest request = request(server, builder -> builder.timeout(Duration.ofSeconds(15)));
        HttpResponse<String> response = mode.send(quickClient(), request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("come back later");
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void backoffThatDoesNotFitTheTimeoutOfTheRequestIsNotBegun(SendMode mode) {
        ScriptedServer server = server(status(503, "busy"), status(200, "ok"));
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .pipeline(standard -> standard.retry(retry -> retry.constantDelay(Duration.ofSeconds(25))))
                .build();
        HttpRequest request = request(server, builder -> builder.timeout(Duration.ofSeconds(15)));
        assertThat(mode.send(client, request, BodyHandlers.ofString()).body()).isEqualTo("busy");
    }

    // ---- the response before

    @ParameterizedTest
    @MethodSource(MODES)
    void connectionOfADiscardedResponseIsUsedAgain(SendMode mode) {
        ScriptedServer server = server(
                status(503, "x".repeat(60_000), "Retry-After: 1"),
                status(503, "", "Retry-After: 1"),
                status(200, "ok"));
        assertThat(mode.send(quickClient(), get(server), BodyHandlers.ofString())
                        .body())
                .isEqualTo("ok");
        assertThat(server.requests())
                .extracting(ScriptedServer.Request::connection)
                .containsExactly(1, 1, 1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void endlessBodyOfADiscardedResponseIsCancelled(SendMode mode) {
        ScriptedServer server = server(endless(503), status(200, "ok"));
        assertThat(mode.send(quickClient(), get(server), BodyHandlers.ofString())
                        .body())
                .isEqualTo("ok");
        Await.until(() -> server.closedByClient() == 1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void bodyOfADiscardedResponseThatDoesNotComeIsCancelled(SendMode mode) {
        ScriptedServer server = server(
                ScriptedServer.rawThenSilence("HTTP/1.1 503 Busy\r\nContent-Length: 10\r\n\r\nabc"), status(200, "ok"));
        assertThat(mode.send(quickClient(), get(server), BodyHandlers.ofString())
                        .body())
                .isEqualTo("ok");
        Await.until(() -> server.requests().size() == 2);
        // By this time nobody waits for it any more, and it must be gone all the same.
        assertThat(server.requests().get(0).socket()).satisfies(socket -> Await.until(socket::isClosed));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void longBodyOfADiscardedResponseIsNotRead(SendMode mode) {
        ScriptedServer server = server(
                ScriptedServer.rawThenSilence("HTTP/1.1 503 Busy\r\nContent-Length: 70000\r\n\r\n"), status(200, "ok"));
        assertThat(mode.send(quickClient(), get(server), BodyHandlers.ofString())
                        .body())
                .isEqualTo("ok");
        Await.until(() -> server.requests().get(0).socket().isClosed());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void handlerSeesNothingButTheLastResponse(SendMode mode) {
        ScriptedServer server = server(status(503, "busy"), status(200, "ok"));
        AtomicInteger applied = new AtomicInteger();
        HttpResponse<String> response = mode.send(quickClient(), get(server), info -> {
            applied.incrementAndGet();
            assertThat(info.statusCode()).isEqualTo(200);
            return BodySubscribers.ofString(StandardCharsets.UTF_8);
        });
        assertThat(response.body()).isEqualTo("ok");
        assertThat(applied).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void fileIsWrittenOnce(SendMode mode) throws IOException {
        ScriptedServer server = server(status(503, "an error page"), status(200, "data"));
        Path file = directory.resolve(mode.name());
        HttpResponse<Path> response = mode.send(
                quickClient(),
                get(server),
                BodyHandlers.ofFile(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        assertThat(response.body()).isEqualTo(file);
        assertThat(Files.readString(file)).isEqualTo("data");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void losersOfARaceAreCutAndTheWinnerIsReturnedWhole(SendMode mode) {
        ScriptedServer server = server(ScriptedServer.silence(), status(503, "busy"), status(200, "ok"));
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .customPipeline(partition -> dev.recloser.Pipeline.<HttpResponse<?>>named("hedged")
                        .hedging(hedging -> hedging.classifier(HttpOutcomes.transientFailures())
                                .maxHedges(2)
                                .delay(Duration.ofMillis(50)))
                        .build())
                .build();
        HttpResponse<String> response = mode.send(client, get(server), BodyHandlers.ofString());
        assertThat(response.body()).isEqualTo("ok");
        assertThat(server.requests()).hasSize(3);
        Await.until(() -> server.requests().get(0).socket().isClosed());
    }
}
