package dev.recloser.http;

import static dev.recloser.http.ScriptedServer.brokenHead;
import static dev.recloser.http.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitIsolatedException;
import dev.recloser.CircuitOpenException;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.retry.Retry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients of several endpoints, in every mode: failover, circuits, weights. */
class EndpointHttpClientTest extends EndpointFixture {

    // ---- failover

    @ParameterizedTest
    @MethodSource(MODES)
    void firstEndpointGetsTheRequestWithItsPathJoined(SendMode mode) {
        EndpointHttpClient client = brittle().build();
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
        assertThat(first.requests()).extracting(ScriptedServer.Request::target).containsExactly("/v1/orders?x=%2F1");
        assertThat(first.requests().get(0).header("Host")).isEqualTo("127.0.0.1:" + first.port());
        assertThat(second.requests()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void whenTheFirstEndpointFailsTheNextOneIsTriedAtOnce(SendMode mode) {
        first.then(status(503, "first is busy", "Retry-After: 60"));
        second.then(status(200, "second"));
        EndpointHttpClient client = brittle().build();
        assertThat(send(mode, client, GET).body()).isEqualTo("second");
        assertThat(breaker(client, first).state()).isEqualTo(CircuitState.OPEN);
        assertThat(breaker(client, second).state()).isEqualTo(CircuitState.CLOSED);
        assertThat(client.pipeline()
                        .strategy(Retry.class)
                        .orElseThrow()
                        .snapshot()
                        .retried())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void endpointThatRefusesConnectionsIsFollowedByTheNext(SendMode mode) throws IOException {
        URI refusing;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            refusing = URI.create("http://127.0.0.1:" + closed.getLocalPort());
        }
        EndpointHttpClient client = EndpointHttpClient.newBuilder("orders")
                .endpoint(refusing)
                .endpoint(second.uri("/v1"))
                .build();
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptThatTakesTooLongIsFollowedByTheNextEndpoint(SendMode mode) {
        first.then(silent());
        EndpointHttpClient client =
                brittle().attemptTimeout(Duration.ofSeconds(2)).build();
        SendMode.Sent<String> sent = mode.start(client, GET, BodyHandlers.ofString());
        Await.until(() -> first.requests().size() == 1);
        time.advance(Duration.ofSeconds(2));
        assertThat(sent.get().body()).isEqualTo("ok");
        assertThat(breaker(client, first).state()).isEqualTo(CircuitState.OPEN);
        Await.until(() -> first.closedByClient() == 1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void whenAllFailTheCallerGetsWhatTheLastOneCameTo(SendMode mode) {
        first.then(status(503, "first"));
        second.then(status(502, "second", "X-Reason: load"));
        HttpResponse<String> response = send(mode, brittle().build(), GET);
        assertThat(response.statusCode()).isEqualTo(502);
        assertThat(response.body()).isEqualTo("second");
        assertThat(response.headers().firstValue("X-Reason")).contains("load");
        assertThat(response.uri()).isEqualTo(second.uri("/v1/orders?x=%2F1"));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void exceptionOfTheLastEndpointReachesTheCallerAsItIs(SendMode mode) {
        first.then(status(503, "first"));
        second.then(brokenHead());
        assertThat(error(mode, brittle().build(), GET))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(RequestRejectedException.class);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void noMoreAttemptsAreMadeThanAllowed(SendMode mode) {
        first.then(status(503, "first"));
        HttpResponse<String> response = send(mode, brittle().maxAttempts(1).build(), GET);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(second.requests()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void answerThatIsNoFailureIsTheAnswer(SendMode mode) {
        first.then(status(404, "no such order"));
        assertThat(send(mode, brittle().build(), GET).statusCode()).isEqualTo(404);
        assertThat(second.requests()).isEmpty();
    }

    // ---- circuits

    @ParameterizedTest
    @MethodSource(MODES)
    void openCircuitIsPassedOverWithoutCountingAsAnAttempt(SendMode mode) {
        first.then(status(503, "first"), status(200, "first"));
        EndpointHttpClient client = brittle().build();
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
        assertThat(first.requests()).hasSize(1);
        assertThat(second.requests()).hasSize(2);
        assertThat(client.pipeline()
                        .strategy(Retry.class)
                        .orElseThrow()
                        .snapshot()
                        .retried())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void endpointComesBackByAProbeThatReachesIt(SendMode mode) {
        first.then(status(503, "first"), status(200, "first again"));
        EndpointHttpClient client = brittle().build();
        send(mode, client, GET);
        time.advance(BREAK);
        assertThat(send(mode, client, GET).body()).isEqualTo("first again");
        assertThat(first.requests()).hasSize(2);
        assertThat(breaker(client, first).state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void probeThatFailsIsFollowedByTheNextEndpoint(SendMode mode) {
        first.then(status(503, "first"));
        EndpointHttpClient client = brittle().build();
        send(mode, client, GET);
        time.advance(BREAK);
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
        assertThat(first.requests()).hasSize(2);
        assertThat(breaker(client, first).state()).isEqualTo(CircuitState.OPEN);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void whenAllCircuitsAreOpenTheRejectionSaysWhenTheFirstMayCloseAgain(SendMode mode) {
        first.then(status(503, "first"));
        second.then(status(200, "second"), status(503, "second"));
        EndpointHttpClient client = brittle().build();
        send(mode, client, GET);
        time.advance(Duration.ofSeconds(2));
        send(mode, client, GET);
        assertThat(error(mode, client, GET)).isInstanceOfSatisfying(RequestRejectedException.class, rejected -> {
            assertThat(rejected.rejection()).isInstanceOf(CircuitOpenException.class);
            assertThat(rejected.rejection().retryAfter()).contains(Duration.ofSeconds(3));
            assertThat(rejected).hasMessage("orders: endpoints: the circuit is open; retry after 3000 ms");
        });
        assertThat(first.requests()).hasSize(1);
        assertThat(second.requests()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void isolatedEndpointsRejectAsSuch(SendMode mode) {
        EndpointHttpClient client = brittle().build();
        breaker(client, first).isolate();
        breaker(client, second).isolate();
        assertThat(error(mode, client, GET))
                .isInstanceOfSatisfying(
                        RequestRejectedException.class,
                        rejected -> assertThat(rejected.rejection()).isInstanceOf(CircuitIsolatedException.class));
        breaker(client, second).close();
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void answerIsNotLostWhenTheOtherCircuitsAreOpen(SendMode mode) {
        ScriptedServer third = server(status(502, "third"));
        EndpointHttpClient client = brittle(first, second, third).build();
        breaker(client, first).isolate();
        breaker(client, second).isolate();
        HttpResponse<String> response = send(mode, client, GET);
        assertThat(response.statusCode()).isEqualTo(502);
        assertThat(response.body()).isEqualTo("third");
        assertThat(third.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void exceptionIsNotLostWhenTheOtherCircuitsAreOpen(SendMode mode) {
        first.then(brokenHead());
        EndpointHttpClient client = brittle().build();
        breaker(client, second).isolate();
        assertThat(error(mode, client, GET))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(RequestRejectedException.class);
        assertThat(first.requests()).hasSize(1);
    }

    // ---- weights

    @ParameterizedTest
    @MethodSource(MODES)
    void weightedRequestsGoWhereTheNumbersSay(SendMode mode) {
        List<Double> numbers = new CopyOnWriteArrayList<>(List.of(.7, .8, .1));
        EndpointHttpClient client = EndpointHttpClient.newBuilder("orders")
                .weighted()
                .random(() -> numbers.remove(0))
                .endpoint(first.uri("/v1"), 3)
                .endpoint(second.uri("/v1"), 1)
                .build();
        for (int i = 0; i < 3; i++) {
            send(mode, client, GET);
        }
        assertThat(first.requests()).hasSize(2);
        assertThat(second.requests()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void weightedRequestThatFailsGoesToAnotherEndpoint(SendMode mode) {
        second.then(status(503, "second"));
        EndpointHttpClient client = EndpointHttpClient.newBuilder("orders")
                .weighted()
                .random(() -> .99)
                .endpoint(first.uri("/v1"), 3)
                .endpoint(second.uri("/v1"), 1)
                .build();
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
        assertThat(second.requests()).hasSize(1);
        assertThat(first.requests()).hasSize(1);
    }
}
