package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What callers see of a circuit breaker in front of a service, end to end. */
@ExtendWith(LeakCheck.class)
class CircuitTest {

    private static final Duration LONG_BREAK = Duration.ofMinutes(1);
    private static final long PATIENT = 10_000;
    private static final long HASTY = 300;
    private static final String FAILING = ScriptedService.answer(500, "broken");
    private static final String HEALTHY = ScriptedService.answer(200, "hello");

    private ScriptedService accounts;
    private ScriptedService transfers;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        accounts = ScriptedService.answering(HEALTHY);
        transfers = ScriptedService.answering(HEALTHY);
        gateway = gateway(TestGateway.BREAK, PATIENT);
    }

    private TestGateway gateway(Duration breakDuration, long timeoutMillis) throws IOException {
        return TestGateway.of(new TestGateway.Settings()
                .breakDuration(breakDuration)
                .timeout(timeoutMillis)
                .cluster("accounts", accounts)
                .timeout(PATIENT)
                .cluster("transfers", transfers)
                .route("/accounts/**", "accounts")
                .route("/transfers/**", "transfers"));
    }

    /** For tests in which a circuit must stay open, or a request must take too long. */
    private void restart(Duration breakDuration, long timeoutMillis) throws IOException {
        gateway.close();
        gateway = gateway(breakDuration, timeoutMillis);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        accounts.close();
        transfers.close();
    }

    private CircuitState state() {
        return gateway.cluster("accounts").breaker().state();
    }

    /** Fails until the circuit is open; returns when that was. */
    private long trip() throws IOException {
        accounts.now(ScriptedService.always(FAILING));
        for (int i = 0; i < 5; i++) {
            assertThat(gateway.get("/accounts/1").body()).isEqualTo("broken");
        }
        assertThat(state()).isEqualTo(CircuitState.OPEN);
        return System.nanoTime();
    }

    private void awaitBreak(long opened) throws InterruptedException {
        awaitBreak(opened, TestGateway.BREAK);
    }

    private void awaitBreak(long opened, Duration breakDuration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(opened + breakDuration.toNanos() + 5_000_000 - System.nanoTime());
    }

    @Test
    void trip_theServiceIsLeftAloneAfterFiveFailures() throws IOException {
        restart(LONG_BREAK, PATIENT);
        trip();
        int calls = accounts.requests().size();
        Received answer = gateway.get("/accounts/1");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, 60);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
                                + "\"detail\":\"The circuit is open.\",\"cluster\":\"accounts\",\"reason\":\"circuit-open\"}\n");
        assertThat(accounts.requests()).hasSize(calls);
    }

    @Test
    void trip_aHeadGetsTheSameHeadersAndNoBody() throws IOException {
        restart(LONG_BREAK, PATIENT);
        trip();
        try (RawClient client = gateway.client()) {
            client.send("HEAD /accounts/1 HTTP/1.1\r\nHost: test\r\n\r\n");
            Received head = client.head();
            assertThat(head.status()).isEqualTo(503);
            assertThat(Integer.parseInt(head.header("Content-Length"))).isPositive();
            assertThat(client.get("/transfers/1").answer().body()).isEqualTo("hello");
        }
    }

    @Test
    void recovery_theFirstCallAfterTheBreakProbesAndCloses() throws Exception {
        long opened = trip();
        accounts.now(ScriptedService.always(HEALTHY));
        awaitBreak(opened);
        int calls = accounts.requests().size();
        assertThat(gateway.get("/accounts/1").body()).isEqualTo("hello");
        assertThat(accounts.requests()).hasSize(calls + 1);
        assertThat(state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void recovery_aFailedProbeOpensForExactlyOneMoreBreak() throws Exception {
        Duration aWhile = Duration.ofSeconds(2);
        restart(aWhile, PATIENT);
        awaitBreak(trip(), aWhile);
        assertThat(gateway.get("/accounts/1").status()).isEqualTo(500);
        long reopened = System.nanoTime();
        assertThat(state()).isEqualTo(CircuitState.OPEN);
        assertThat(gateway.get("/accounts/1").status()).isEqualTo(503);
        accounts.now(ScriptedService.always(HEALTHY));
        awaitBreak(reopened, aWhile);
        assertThat(gateway.get("/accounts/1").status()).isEqualTo(200);
        assertThat(state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void isolation_anOpenCircuitAffectsNoOtherCluster() throws IOException {
        restart(LONG_BREAK, HASTY);
        accounts.now((head, connection) -> assertThat(connection.isClosed()).isTrue());
        for (int i = 0; i < 5; i++) {
            assertThat(gateway.get("/accounts/1").status()).isEqualTo(504);
        }
        assertThat(state()).isEqualTo(CircuitState.OPEN);
        for (int i = 0; i < 50; i++) {
            assertThat(gateway.get("/transfers/1").status()).isEqualTo(200);
        }
        assertThat(gateway.cluster("transfers").breaker().state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void timeout_theClientIsFreedOnTimeAndTheForwardIsCancelled() throws Exception {
        restart(TestGateway.BREAK, HASTY);
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        accounts.now((head, connection) -> closed.complete(connection.isClosed()));
        long begun = System.nanoTime();
        Received answer = gateway.get("/accounts/1");
        long took = System.nanoTime() - begun;
        assertThat(answer.status()).isEqualTo(504);
        assertThat(answer.body()).contains("\"reason\":\"timeout\"");
        assertThat(took).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(HASTY));
        assertThat(closed.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(accounts.requests()).hasSize(1);
        assertThat(gateway.cluster("accounts").breaker().snapshot().failures()).isEqualTo(1);
    }

    @Test
    void answersBelow500AreSuccesses() throws IOException {
        accounts.now(ScriptedService.always(ScriptedService.answer(429, "slow down")));
        for (int i = 0; i < 20; i++) {
            assertThat(gateway.get("/accounts/1").status()).isEqualTo(429);
        }
        assertThat(gateway.cluster("accounts").breaker().snapshot().failures()).isZero();
    }

    // row 28
    @Test
    void aProbeEndsAtItsHeaders() throws Exception {
        Semaphore end = new Semaphore(0);
        awaitBreak(trip());
        accounts.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThat(end.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
            connection.send("1\r\na\r\n0\r\n\r\n");
        });
        try (RawClient probe = gateway.client()) {
            probe.get("/accounts/events").head();
            assertThat(state()).isEqualTo(CircuitState.CLOSED);
            accounts.now(ScriptedService.always(HEALTHY));
            assertThat(gateway.get("/accounts/1").body()).isEqualTo("hello");
            end.release();
            assertThat(probe.readChunk() + probe.readChunk()).isEqualTo("a");
        }
    }

    @Test
    void aProbeWhoseClientLeavesLetsTheNextCallProbe() throws Exception {
        Semaphore asked = new Semaphore(0);
        awaitBreak(trip());
        accounts.now((head, connection) -> {
            asked.release();
            assertThat(connection.isClosed()).isTrue();
        });
        try (RawClient probe = gateway.client()) {
            probe.get("/accounts/1");
            assertThat(asked.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
            assertThat(gateway.get("/accounts/2").status())
                    .as("while it probes")
                    .isEqualTo(503);
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (gateway.cluster("accounts").counters().count(Ending.CLIENT_GONE) == 0 && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
        accounts.now(ScriptedService.always(HEALTHY));
        assertThat(gateway.get("/accounts/1").status()).isEqualTo(200);
        assertThat(state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void anIsolatedCircuitSaysSo() throws IOException {
        gateway.cluster("accounts").breaker().isolate();
        Received answer = gateway.get("/accounts/1");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.has("Retry-After")).isFalse();
        assertThat(answer.body()).contains("\"reason\":\"circuit-isolated\"");
    }
}
