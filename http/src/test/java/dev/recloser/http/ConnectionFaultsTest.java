package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.TimedOutException;
import dev.recloser.http.ScriptedServer.Answer;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults of a connection, from a port that refuses it to a body that breaks off: what the caller gets after two retries, what reaches the
 * server, what the breaker counts, and that all is well as soon as the server is.
 */
class ConnectionFaultsTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Answer FINE = ScriptedServer.status(200, "fine");
    private static final Answer RESET = (request, out) -> {
        request.socket().setSoLinger(true, 0);
        return false;
    };

    private static final Answer SILENCE = (request, out) -> {
        request.awaitClose();
        throw new EOFException("the client has closed the connection");
    };

    private static RecloserHttpClient impatient() {
        return quick().pipeline(standard -> standard.attemptTimeout(SHORT)).build();
    }

    private static Throwable failure(SendMode mode, RecloserHttpClient client, HttpRequest request) {
        return mode.start(client, request, BodyHandlers.ofString()).error();
    }

    private static void assertThreeFailures(RecloserHttpClient client, HttpRequest request) {
        assertThat(retries(client, request)).as("retries").isEqualTo(2);
        assertThat(circuit(client, request).calls())
                .as("calls that the breaker counts")
                .isEqualTo(3);
        assertThat(circuit(client, request).failures())
                .as("failures that the breaker counts")
                .isEqualTo(3);
    }

    private static void assertWell(SendMode mode, RecloserHttpClient client, HttpRequest request) {
        HttpResponse<String> response = mode.send(client, request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("fine");
        assertThat(circuit(client, request).calls())
                .as("calls that the breaker counts")
                .isEqualTo(4);
        assertThat(circuit(client, request).failures())
                .as("failures that the breaker counts")
                .isEqualTo(3);
    }

    private static void assertTimedOut(Throwable failure) {
        assertThat(failure)
                .isInstanceOf(HttpTimeoutException.class)
                .cause()
                .isInstanceOfSatisfying(
                        TimedOutException.class,
                        timeout -> assertThat(timeout.strategy()).isEqualTo("attemptTimeout"));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void portThatRefusesFailsAsItDoesWithTheJdksClient(SendMode mode) throws IOException {
        RefusingPort port = toClose(new RefusingPort());
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(port.uri());
        assertThat(failure(mode, client, request)).isInstanceOf(ConnectException.class);
        assertThreeFailures(client, request);
        ScriptedServer server = toClose(new ScriptedServer(port.listen(), FINE));
        assertWell(mode, client, request);
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void blackHoleEndsWithTheConnectTimeout(SendMode mode) throws IOException {
        FullBacklog hole = toClose(new FullBacklog());
        RecloserHttpClient client = quick().connectTimeout(SHORT).build();
        HttpRequest request = get(hole.uri());
        assertThat(failure(mode, client, request)).isInstanceOf(HttpConnectTimeoutException.class);
        assertThreeFailures(client, request);
        assertThatItServesAgain(mode, client, request, hole.free());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void blackHoleEndsWithTheAttemptTimeoutWhereThereIsNoOther(SendMode mode) throws IOException {
        FullBacklog hole = toClose(new FullBacklog());
        RecloserHttpClient client = impatient();
        HttpRequest request = get(hole.uri());
        assertTimedOut(failure(mode, client, request));
        assertThreeFailures(client, request);
        assertThatItServesAgain(mode, client, request, hole.free());
    }

    private void assertThatItServesAgain(
            SendMode mode, RecloserHttpClient client, HttpRequest request, ServerSocket listener) {
        ScriptedServer server = toClose(new ScriptedServer(listener, FINE));
        assertWell(mode, client, request);
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void resetOfAConnectionAsSoonAsItIsAcceptedIsAFailureOfEachAttempt(SendMode mode) throws Exception {
        ResettingServer server = toClose(new ResettingServer());
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(server.uri());
        assertThat(failure(mode, client, request)).isInstanceOf(IOException.class);
        assertThreeFailures(client, request);
        assertThat(server.connections())
                .as("three attempts, of which the JDK's client repeats some by itself")
                .isGreaterThanOrEqualTo(3);
        toClose(new ScriptedServer(server.stop(), FINE));
        assertWell(mode, client, request);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void resetInsteadOfAnAnswerIsAFailureOfEachAttempt(SendMode mode) {
        ScriptedServer server = server(RESET);
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(server);
        assertThat(failure(mode, client, request)).isInstanceOf(IOException.class);
        assertThreeFailures(client, request);
        assertThat(server.requests())
                .as("three attempts, each of which the JDK's client repeats once by itself")
                .hasSizeBetween(3, 6);
        server.then(FINE);
        assertWell(mode, client, request);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void resetInsteadOfAnAnswerEndsARequestThatMustNotBeRepeated(SendMode mode) {
        ScriptedServer server = server(RESET, FINE);
        RecloserHttpClient client = quickClient();
        HttpRequest request = request(server, builder -> builder.POST(BodyPublishers.ofString("order")));
        assertThat(failure(mode, client, request)).isInstanceOf(IOException.class);
        assertThat(server.requests()).hasSize(1);
        assertThat(circuit(client, request).failures()).isEqualTo(1);
        assertThat(mode.send(client, request, BodyHandlers.ofString()).body()).isEqualTo("fine");
        assertThat(server.requests()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void silentServerIsCutOffByTheAttemptTimeoutEachTime(SendMode mode) {
        ScriptedServer server = server(SILENCE);
        assertCutOffThreeTimes(mode, server);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void slowHeadIsCutOffByTheAttemptTimeoutEachTime(SendMode mode) {
        ScriptedServer server = server(trickle("HTTP/1.1 200 OK\r\n", "X-Slow: header\r\n"));
        assertCutOffThreeTimes(mode, server);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void slowBodyThatIsCollectedIsCutOffByTheAttemptTimeoutEachTime(SendMode mode) {
        ScriptedServer server = server(trickle("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "x"));
        assertCutOffThreeTimes(mode, server);
    }

    /** So much at once, and more of it for ever, a little at a time, until the client has gone. */
    private static Answer trickle(String start, String more) {
        return (request, out) -> {
            out.write(start.getBytes(StandardCharsets.US_ASCII));
            while (true) {
                out.flush();
                request.pause(10);
                out.write(more.getBytes(StandardCharsets.US_ASCII));
            }
        };
    }

    private void assertCutOffThreeTimes(SendMode mode, ScriptedServer server) {
        RecloserHttpClient client = impatient();
        HttpRequest request = get(server);
        assertTimedOut(failure(mode, client, request));
        assertThreeFailures(client, request);
        assertThat(server.requests()).hasSize(3);
        Await.until(() -> server.closedByClient() == 3);
        server.then(FINE);
        assertWell(mode, client, request);
        assertThat(server.requests()).hasSize(4);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void bodyThatBreaksOffIsAFailureOfEachAttempt(SendMode mode) {
        ScriptedServer server =
                server(ScriptedServer.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthe first bytes"));
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(server);
        assertThat(failure(mode, client, request))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(HttpTimeoutException.class);
        assertThreeFailures(client, request);
        assertThat(server.requests()).hasSize(3);
        server.then(FINE);
        assertWell(mode, client, request);
    }
}
