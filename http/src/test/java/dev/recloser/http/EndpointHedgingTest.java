package dev.recloser.http;

import static dev.recloser.http.ScriptedServer.endless;
import static dev.recloser.http.ScriptedServer.rawThenSilence;
import static dev.recloser.http.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.PipelineEvent;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.hedging.Hedging;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients of several endpoints, in every mode: what must not be sent twice, hedging, and how it ends. */
class EndpointHedgingTest extends EndpointFixture {

    // ---- what must not be sent twice

    @ParameterizedTest
    @MethodSource(MODES)
    void unsafeRequestGoesToOneEndpointOnly(SendMode mode) {
        first.then(status(503, "first"));
        EndpointHttpClient client = brittle().build();
        assertThat(send(mode, client, POST).statusCode()).isEqualTo(503);
        assertThat(first.requests()).extracting(ScriptedServer.Request::body).containsExactly("one");
        assertThat(second.requests()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void unsafeRequestGoesToTheFirstEndpointThatLetsItIn(SendMode mode) {
        EndpointHttpClient client = brittle().hedgeAfter(HEDGE_AFTER).build();
        breaker(client, first).isolate();
        assertThat(send(mode, client, POST).body()).isEqualTo("ok");
        assertThat(second.requests()).extracting(ScriptedServer.Request::body).containsExactly("one");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void unsafeRequestIsNotHedged(SendMode mode) {
        first.then(silent());
        EndpointHttpClient client = brittle().hedgeAfter(HEDGE_AFTER).build();
        SendMode.Sent<String> sent = mode.start(client, POST, BodyHandlers.ofString());
        Await.until(() -> first.requests().size() == 1);
        time.advance(Duration.ofSeconds(10));
        assertThat(sent.error()).isInstanceOf(HttpTimeoutException.class);
        assertThat(second.requests()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void requestSaidToBeSafeGoesOn(SendMode mode) {
        first.then(status(503, "first"));
        EndpointHttpClient client = brittle()
                .safeToRepeat(request -> request.uri().getPath().equals("/orders"))
                .build();
        assertThat(send(mode, client, POST).body()).isEqualTo("ok");
        assertThat(second.requests()).extracting(ScriptedServer.Request::body).containsExactly("one");
    }

    // ---- hedging

    @ParameterizedTest
    @MethodSource(MODES)
    void slowEndpointIsHedgedByTheNextAndCancelled(SendMode mode) {
        first.then(silent());
        second.then(status(200, "second"));
        EndpointHttpClient client = brittle().hedgeAfter(HEDGE_AFTER).build();
        SendMode.Sent<String> sent = mode.start(client, GET, BodyHandlers.ofString());
        Await.until(() -> first.requests().size() == 1);
        assertThat(second.requests()).isEmpty();
        time.advance(HEDGE_AFTER);
        assertThat(sent.get().body()).isEqualTo("second");
        Await.until(() -> first.closedByClient() == 1);
        assertThat(breaker(client, first).state()).isEqualTo(CircuitState.CLOSED);
        assertThat(client.pipeline()
                        .strategy(Hedging.class)
                        .orElseThrow()
                        .snapshot()
                        .hedges())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void hedgedAttemptThatFailsIsFollowedByTheNextAtOnce(SendMode mode) {
        first.then(status(503, "first"));
        EndpointHttpClient client = brittle().hedgeAfter(HEDGE_AFTER).build();
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
        assertThat(breaker(client, first).state()).isEqualTo(CircuitState.OPEN);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void whenAllHedgesFailTheCallerGetsWhatTheFirstCameTo(SendMode mode) {
        first.then(status(503, "first"));
        second.then(status(502, "second"));
        HttpResponse<String> response =
                send(mode, brittle().hedgeAfter(HEDGE_AFTER).build(), GET);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("first");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void hedgeWithoutAnEndpointLeavesTheOthersToRunOn(SendMode mode) {
        ScriptedServer third = server(silent());
        EndpointHttpClient client =
                brittle(first, second, third).hedgeAfter(HEDGE_AFTER).build();
        breaker(client, first).isolate();
        breaker(client, second).isolate();
        SendMode.Sent<String> sent = mode.start(client, GET, BodyHandlers.ofString());
        Await.until(() -> third.requests().size() == 1);
        time.advance(HEDGE_AFTER);
        assertThat(sent.future()).isNotDone();
        time.advance(Duration.ofSeconds(10));
        assertThat(sent.error()).isInstanceOf(HttpTimeoutException.class);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void bodyOfTheLoserIsNotLeaked(SendMode mode) {
        first.then(endless(503));
        EndpointHttpClient client = brittle().hedgeAfter(HEDGE_AFTER).build();
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
        Await.until(() -> first.closedByClient() == 1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void answerThatWasHeldBackWhileAnotherEndpointHungIsWhole(SendMode mode) {
        first.then(status(503, "first"));
        second.then(silent());
        EndpointHttpClient client = brittle().hedgeAfter(HEDGE_AFTER).build();
        SendMode.Sent<String> sent = mode.start(client, GET, BodyHandlers.ofString());
        Await.until(() -> second.requests().size() == 1);
        time.advance(Duration.ofSeconds(10));
        assertThat(sent.get().statusCode()).isEqualTo(503);
        assertThat(sent.get().body()).isEqualTo("first");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void slowBodyIsNotHedgedSinceTwoMustNotWriteToTheSameFile(SendMode mode) {
        first.then(rawThenSilence("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no"));
        AtomicInteger handled = new AtomicInteger();
        EndpointHttpClient client = brittle().hedgeAfter(HEDGE_AFTER).build();
        SendMode.Sent<String> sent = mode.start(client, GET, info -> {
            handled.incrementAndGet();
            return BodyHandlers.ofString().apply(info);
        });
        // Then the only alarm is that of the body.
        Await.until(() -> handled.get() == 1 && time.pendingAlarms() == 1);
        time.advance(HEDGE_AFTER);
        assertThat(second.requests()).isEmpty();
        time.advance(Duration.ofSeconds(10));
        assertThat(sent.error()).isInstanceOf(HttpTimeoutException.class);
        assertThat(handled).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void probeThatIsOvertakenIsFollowedByAnother(SendMode mode) {
        first.then(status(503, "first"), silent(), status(200, "first is back"));
        EndpointHttpClient client = brittle().hedgeAfter(HEDGE_AFTER).build();
        assertThat(send(mode, client, GET).body()).isEqualTo("ok");
        time.advance(BREAK);
        SendMode.Sent<String> overtaken = mode.start(client, GET, BodyHandlers.ofString());
        Await.until(() -> first.requests().size() == 2);
        time.advance(HEDGE_AFTER);
        assertThat(overtaken.get().body()).isEqualTo("ok");
        Await.until(() -> breaker(client, first).snapshot().runningProbes() == 0);
        assertThat(send(mode, client, GET).body()).isEqualTo("first is back");
        assertThat(breaker(client, first).state()).isEqualTo(CircuitState.CLOSED);
    }

    // ---- ends

    @ParameterizedTest
    @MethodSource(MODES)
    void totalTimeoutCutsTheAttempt(SendMode mode) {
        first.then(silent());
        EndpointHttpClient client = brittle()
                .attemptTimeout(Duration.ofSeconds(2))
                .totalTimeout(Duration.ofSeconds(2))
                .build();
        SendMode.Sent<String> sent = mode.start(client, GET, BodyHandlers.ofString());
        Await.until(() -> first.requests().size() == 1);
        time.advance(Duration.ofSeconds(2));
        assertThat(sent.error()).isInstanceOf(HttpTimeoutException.class).hasMessageContaining("totalTimeout");
        Await.until(() -> first.closedByClient() == 1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void cancellingCutsTheExchange(SendMode mode) {
        first.then(silent());
        EndpointHttpClient client = brittle().build();
        SendMode.Sent<String> sent = mode.start(client, GET, BodyHandlers.ofString());
        Await.until(() -> first.requests().size() == 1);
        sent.cancel();
        assertThat(sent.error()).isInstanceOfAny(InterruptedException.class, CancellationException.class);
        Await.until(() -> first.closedByClient() == 1);
        assertThat(second.requests()).isEmpty();
        assertThat(breaker(client, first).state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void cancellingCutsAllHedges(SendMode mode) {
        first.then(silent());
        second.then(silent());
        EndpointHttpClient client = brittle().hedgeAfter(HEDGE_AFTER).build();
        SendMode.Sent<String> sent = mode.start(client, GET, BodyHandlers.ofString());
        Await.until(() -> first.requests().size() == 1);
        time.advance(HEDGE_AFTER);
        Await.until(() -> second.requests().size() == 1);
        sent.cancel();
        assertThat(sent.error()).isInstanceOfAny(InterruptedException.class, CancellationException.class);
        Await.until(() -> first.closedByClient() == 1 && second.closedByClient() == 1);
    }

    @Test
    void clientThatIsShutDownTakesNoMoreRequests() {
        EndpointHttpClient client = brittle().build();
        client.shutdown();
        assertThat(error(SendMode.BLOCKING, client, GET))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("orders");
        assertThat(client.isTerminated()).isTrue();
    }

    @Test
    void listenerHearsOfTheClientAndOfItsEndpoints() {
        first.then(status(503, "first"));
        EndpointHttpClient client = brittle().build();
        List<String> heard = new CopyOnWriteArrayList<>();
        Registration registration =
                client.addListener((PipelineEvent event) -> heard.add(event.strategy() + " " + event.kind()));
        send(SendMode.BLOCKING, client, GET);
        send(SendMode.BLOCKING, client, GET);
        registration.remove();
        send(SendMode.BLOCKING, client, GET);
        assertThat(heard).containsExactly("failover RETRY", "orders/127.0.0.1:" + first.port() + "/v1 REJECTED");
    }

    @Test
    void readsAsItIsMeant() {
        EndpointHttpClient client = brittle()
                .transport(jdk -> jdk.connectTimeout(Duration.ofSeconds(1)))
                .build();
        assertThat(client)
                .hasToString("EndpointHttpClient orders [" + first.uri("/v1") + ", " + second.uri("/v1") + "]");
        assertThat(client.connectTimeout()).contains(Duration.ofSeconds(1));
        assertThat(client.pipeline()).hasToString("orders [totalTimeout > concurrencyLimiter > failover]");
        assertThat(client.endpoints().keySet()).containsExactly(first.uri("/v1"), second.uri("/v1"));
    }
}
