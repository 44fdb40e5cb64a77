package dev.recloser.http;

import static dev.recloser.http.ScriptedServer.brokenHead;
import static dev.recloser.http.ScriptedServer.raw;
import static dev.recloser.http.ScriptedServer.silence;
import static dev.recloser.http.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitOpenException;
import dev.recloser.LimitReachedException;
import dev.recloser.RejectedException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.testing.CallMode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of outcomes, row by row, in every mode. */
class OutcomesTest extends ClientFixture {

    static Stream<Arguments> transientStatuses() {
        return SendMode.available().stream()
                .flatMap(mode ->
                        Stream.of(408, 429, 500, 502, 503, 504, 507, 599).map(status -> Arguments.of(mode, status)));
    }

    @ParameterizedTest
    @MethodSource("transientStatuses")
    void transientStatusIsRetriedAndCounted(SendMode mode, int status) {
        ScriptedServer server = server(status(status, "busy"), status(status, "busy"), status(200, "ok"));
        RecloserHttpClient client = quickClient();
        HttpResponse<String> response = mode.send(client, get(server), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("ok");
        assertThat(server.requests()).hasSize(3);
        assertThat(circuit(client, get(server)).failures()).isEqualTo(2);
        assertThat(circuit(client, get(server)).calls()).isEqualTo(3);
    }

    static Stream<Arguments> otherStatuses() {
        return SendMode.available().stream()
                .flatMap(mode -> Stream.of(201, 204, 304, 400, 401, 403, 404, 409, 422, 501, 505)
                        .map(status -> Arguments.of(mode, status)));
    }

    @ParameterizedTest
    @MethodSource("otherStatuses")
    void anyOtherStatusIsASuccess(SendMode mode, int status) {
        ScriptedServer server =
                server(raw("HTTP/1.1 " + status + " Whatever\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
        RecloserHttpClient client = quickClient();
        HttpResponse<String> response = mode.send(client, get(server), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(server.requests()).hasSize(1);
        assertThat(circuit(client, get(server)).failures()).isZero();
        assertThat(circuit(client, get(server)).calls()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void lastTransientResponseReachesTheCallerWhole(SendMode mode) {
        ScriptedServer server = server(status(503, "still busy", "X-Reason: load"));
        HttpResponse<String> response = mode.send(quickClient(), get(server), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("still busy");
        assertThat(response.headers().firstValue("X-Reason")).contains("load");
        assertThat(response.uri()).isEqualTo(server.uri("/"));
        assertThat(response.request().method()).isEqualTo("GET");
        assertThat(response.previousResponse()).isEmpty();
        assertThat(server.requests()).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void brokenConnectionIsRetriedAndCounted(SendMode mode) {
        ScriptedServer server = server(brokenHead(), status(200, "ok"));
        RecloserHttpClient client = quickClient();
        assertThat(mode.send(client, get(server), BodyHandlers.ofString()).body())
                .isEqualTo("ok");
        assertThat(circuit(client, get(server)).failures()).isEqualTo(1);
        assertThat(retries(client, get(server))).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void truncatedBodyIsRetriedAndCountedWhenTheHandlerCollects(SendMode mode) {
        ScriptedServer server =
                server(raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nnot a hundred"), status(200, "ok"));
        RecloserHttpClient client = quickClient();
        assertThat(mode.send(client, get(server), BodyHandlers.ofString()).body())
                .isEqualTo("ok");
        assertThat(circuit(client, get(server)).failures()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void refusedConnectionIsRetriedAndCountedAndThrownAsItIs(SendMode mode) throws IOException {
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(unusedPort());
        assertThat(mode.start(client, request, BodyHandlers.ofString()).error()).isInstanceOf(ConnectException.class);
        assertThat(circuit(client, request).failures()).isEqualTo(3);
        assertThat(retries(client, request)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void unknownHostIsRetriedAndCounted(SendMode mode) {
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(URI.create("http://no-such-host.invalid/"));
        assertThat(mode.start(client, request, BodyHandlers.ofString()).error()).isInstanceOf(IOException.class);
        assertThat(circuit(client, request).failures()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void failedTlsHandshakeIsRetriedAndCounted(SendMode mode) {
        ScriptedServer server = server(status(400, "not TLS"));
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(URI.create("https://127.0.0.1:" + server.port() + "/"));
        assertThat(mode.start(client, request, BodyHandlers.ofString()).error()).isInstanceOf(IOException.class);
        assertThat(circuit(client, request).failures()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void attemptTimeoutIsRetriedAndCountedAndKnowsWhatCameBefore(SendMode mode) {
        ScriptedServer server = server(brokenHead(), silence());
        RecloserHttpClient client = quick().pipeline(standard -> standard.attemptTimeout(Duration.ofMillis(300)))
                .build();
        Throwable error =
                mode.start(client, get(server), BodyHandlers.ofString()).error();
        assertThat(error).isInstanceOf(HttpTimeoutException.class);
        assertThat(error.getCause()).isInstanceOf(TimedOutException.class);
        assertThat(((RejectedException) error.getCause()).earlierFailures()).hasSize(2);
        assertThat(circuit(client, get(server)).failures()).isEqualTo(3);
        assertThat(server.requests()).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void openCircuitRejectsAtOnceWithoutCallingTheServer(SendMode mode) {
        ScriptedServer server = server(brokenHead());
        RecloserHttpClient client = quick().pipeline(standard ->
                        standard.circuitBreaker(cb -> cb.minimumThroughput(2).failureRatio(0.5)))
                .build();
        Throwable error =
                mode.start(client, get(server), BodyHandlers.ofString()).error();
        assertThat(error).isInstanceOf(RequestRejectedException.class);
        RejectedException rejection = ((RequestRejectedException) error).rejection();
        assertThat(rejection).isInstanceOf(CircuitOpenException.class).isSameAs(error.getCause());
        assertThat(rejection.earlierFailures()).hasSize(2);
        assertThat(rejection.pipeline()).isEqualTo("test/127.0.0.1:" + server.port());
        assertThat(error).hasMessage(rejection.getMessage());
        assertThat(server.requests()).hasSize(2);
        Throwable next =
                mode.start(client, get(server), BodyHandlers.ofString()).error();
        assertThat(next).isInstanceOf(RequestRejectedException.class);
        assertThat(server.requests()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void probeReachesTheServerAndClosesTheCircuit(SendMode mode) {
        ScriptedServer server = server(brokenHead(), brokenHead(), status(200, "well again"));
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .pipeline(standard -> standard.without("retry")
                        .circuitBreaker(cb -> cb.minimumThroughput(2).breakDuration(Duration.ofMillis(500))))
                .build();
        IntStream.range(0, 2)
                .forEach(i ->
                        mode.start(client, get(server), BodyHandlers.ofString()).error());
        CircuitBreaker breaker =
                client.pipeline(get(server)).strategy(CircuitBreaker.class).orElseThrow();
        assertThat(breaker.snapshot().state()).isEqualTo(CircuitState.OPEN);
        Await.until(
                () -> breaker.snapshot().nextProbe().filter(Duration::isZero).isPresent());
        assertThat(mode.send(client, get(server), BodyHandlers.ofString()).body())
                .isEqualTo("well again");
        assertThat(breaker.snapshot().state()).isEqualTo(CircuitState.CLOSED);
        assertThat(server.requests()).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void reachedLimitRejectsAndIsNeitherRetriedNorCounted(SendMode mode) {
        ScriptedServer server = server(silence());
        RecloserHttpClient client =
                quick().pipeline(standard -> standard.concurrencyLimiter(1)).build();
        SendMode.Sent<String> first = mode.start(client, get(server), BodyHandlers.ofString());
        Await.until(() -> server.requests().size() == 1);
        Throwable error =
                mode.start(client, get(server), BodyHandlers.ofString()).error();
        assertThat(error).isInstanceOf(RequestRejectedException.class);
        assertThat(error.getCause()).isInstanceOf(LimitReachedException.class);
        assertThat(retries(client, get(server))).isZero();
        assertThat(circuit(client, get(server)).calls()).isZero();
        first.cancel();
        first.error();
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void bugInABodyHandlerIsNeitherRetriedNorCounted(SendMode mode) {
        ScriptedServer server = server(status(200, "ok"));
        RecloserHttpClient client = quickClient();
        Throwable error = mode.<String>start(client, get(server), info -> {
                    throw new IllegalStateException("a bug");
                })
                .error();
        assertThat(rootOf(error)).hasMessage("a bug");
        assertThat(server.requests()).hasSize(1);
        assertThat(circuit(client, get(server)).failures()).isZero();
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void bugInAMappingOfABodyIsNeitherRetriedNorCounted(SendMode mode) {
        ScriptedServer server = server(status(200, "ok"));
        RecloserHttpClient client = quickClient();
        Throwable error = mode.<Integer>start(
                        client,
                        get(server),
                        info -> HttpResponse.BodySubscribers.mapping(
                                HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8), Integer::parseInt))
                .error();
        assertThat(rootOf(error)).isInstanceOf(NumberFormatException.class);
        assertThat(server.requests()).hasSize(1);
        assertThat(circuit(client, get(server)).failures()).isZero();
    }

    static Stream<Arguments> endings() {
        return SendMode.available().stream()
                .flatMap(mode -> Stream.of(
                                status(200, "ok"),
                                status(503, "busy"),
                                brokenHead(),
                                silence(),
                                raw("HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nnot a hundred"))
                        .map(answer -> Arguments.of(mode, answer)));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void callGivesItsPermitBackHoweverItEnds(SendMode mode, ScriptedServer.Answer answer) {
        ScriptedServer server = server(answer);
        RecloserHttpClient client = quick().pipeline(
                        standard -> standard.concurrencyLimiter(1).attemptTimeout(Duration.ofMillis(200)))
                .build();
        for (int i = 0; i < 3; i++) {
            CompletableFuture<HttpResponse<String>> future =
                    mode.start(client, get(server), BodyHandlers.ofString()).future();
            Throwable error = future.handle((response, thrown) -> thrown).join();
            assertThat(error instanceof RequestRejectedException).isFalse();
        }
    }

    @Test
    void virtualThreadsAreCoveredWhereTheJdkHasThem() {
        assertThat(SendMode.available().contains(SendMode.VIRTUAL))
                .isEqualTo(CallMode.available().contains(CallMode.VIRTUAL_THREAD));
    }

    private static Throwable rootOf(Throwable error) {
        return error.getCause() == null ? error : rootOf(error.getCause());
    }

    private static URI unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/");
        }
    }
}
