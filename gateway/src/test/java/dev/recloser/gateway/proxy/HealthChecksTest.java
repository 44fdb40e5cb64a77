package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.BalancingConfig;
import dev.recloser.gateway.config.HealthCheckConfig;
import dev.recloser.gateway.config.HealthCheckConfig.Statuses;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The gateway asks destinations by itself how they are. */
@ExtendWith(LeakCheck.class)
class HealthChecksTest {

    private static final Statuses GOOD = new Statuses(200, 299);
    private static final String CHECK = "GET /healthz?deep ";

    private ScriptedService first;
    private ScriptedService second;
    private TestGateway gateway;
    private volatile int firstStatus = 200;
    private volatile int secondStatus = 200;
    private volatile int requestStatus = 200;

    @BeforeEach
    void start() throws IOException {
        first = new ScriptedService((head, connection) -> answer(head, connection, firstStatus));
        second = new ScriptedService((head, connection) -> answer(head, connection, secondStatus));
    }

    /** A check is answered by the status; without one, never. */
    private void answer(Received head, RawConnection connection, int check) throws IOException {
        boolean isCheck = head.head().startsWith(CHECK);
        if (isCheck && check == 0) {
            assertThat(connection.isClosed()).isTrue();
        } else {
            connection.send(ScriptedService.answer(isCheck ? check : requestStatus, "hello"));
        }
    }

    /** Where checks probe the circuit, no destination becomes unhealthy. */
    private static BalancingConfig checking(Duration timeout, boolean probesCircuit) {
        return BalancingConfig.USUAL.with(new HealthCheckConfig(
                "/healthz?deep",
                Optional.empty(),
                Duration.ofMillis(100),
                timeout,
                2,
                probesCircuit ? 1000 : 2,
                GOOD,
                probesCircuit));
    }

    private void startGateway(Duration timeout, boolean probesCircuit, ScriptedService... services) throws IOException {
        gateway = TestGateway.of(new TestGateway.Settings()
                .balancing(checking(timeout, probesCircuit))
                .cluster(TestGateway.ONLY, services)
                .route("/**", TestGateway.ONLY));
    }

    @AfterEach
    void stop() throws IOException {
        if (gateway != null) {
            gateway.close();
        }
        first.close();
        second.close();
    }

    private boolean isDown(int index) {
        return gateway.cluster().destinations().all().get(index).health().isDown();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + RawConnection.BOUND.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.sleep(2);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static List<Received> checks(ScriptedService service) {
        return service.requests().stream()
                .filter(head -> head.head().startsWith(CHECK))
                .toList();
    }

    private static int requests(ScriptedService service) {
        return service.requests().size() - checks(service).size();
    }

    @Test
    void anUnhealthyDestinationGetsNoRequestsUntilItIsHealthyAgain() throws Exception {
        startGateway(Duration.ofSeconds(2), false, first, second);
        assertThat(gateway.get("/x").status()).as("before any check").isEqualTo(200);
        firstStatus = 503;
        await(() -> isDown(0));
        assertThat(gateway.cluster().destinationSnapshots())
                .extracting(DestinationSnapshot::state)
                .containsExactly(DestinationSnapshot.State.UNHEALTHY, DestinationSnapshot.State.HEALTHY);
        int before = requests(first);
        for (int i = 0; i < 6; i++) {
            assertThat(gateway.get("/x").status()).isEqualTo(200);
        }
        assertThat(requests(first)).isEqualTo(before);
        firstStatus = 204;
        await(() -> !isDown(0));
        for (int i = 0; i < 6; i++) {
            assertThat(gateway.get("/x").status()).isEqualTo(200);
        }
        assertThat(requests(first)).isGreaterThan(before);
        assertThat(isDown(1)).isFalse();
    }

    @Test
    void aCheckIsAGetThatClosesItsConnection() throws Exception {
        startGateway(Duration.ofSeconds(2), false, first);
        await(() -> checks(first).size() >= 3);
        Received check = checks(first).get(0);
        assertThat(check.header("Host")).isEqualTo("127.0.0.1:" + first.port());
        assertThat(check.header("Connection")).isEqualTo("close");
        assertThat(check.has("Content-Length")).isFalse();
        assertThat(check.has("Transfer-Encoding")).isFalse();
        assertThat(first.connections()).isGreaterThanOrEqualTo(3);
        assertThat(gateway.cluster().breaker().snapshot().calls()).isZero();
        assertThat(gateway.cluster().counters().byReason()).isEmpty();
    }

    @Test
    void whereAllAreUnhealthyNoneIsAskedAndTheCircuitDoesNotCare() throws Exception {
        firstStatus = 0;
        second.close();
        startGateway(Duration.ofMillis(150), false, first, second);
        await(() -> isDown(0) && isDown(1));
        for (int i = 0; i < 8; i++) {
            Received answer = gateway.get("/x");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("\"reason\":\"no-destination\"");
        }
        assertThat(requests(first)).isZero();
        assertThat(gateway.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(gateway.cluster().breaker().snapshot().calls()).isZero();
        firstStatus = 200;
        await(() -> !gateway.cluster().destinations().areAllDown());
        assertThat(gateway.get("/x").status()).isEqualTo(200);
    }

    @Test
    void checksProbeAnOpenCircuitInThePlaceOfClients() throws Exception {
        startGateway(Duration.ofSeconds(2), true, first);
        requestStatus = 500;
        firstStatus = 503;
        for (int i = 0; i < 5; i++) {
            assertThat(gateway.get("/x").status()).isEqualTo(500);
        }
        assertThat(gateway.state()).isEqualTo(CircuitState.OPEN);
        int before = requests(first);
        await(() -> gateway.cluster().breaker().snapshot().reopenings() >= 1);
        assertThat(gateway.get("/x").status()).isEqualTo(503);
        assertThat(requests(first)).as("requests of clients").isEqualTo(before);
        firstStatus = 200;
        requestStatus = 200;
        await(() -> gateway.state() == CircuitState.CLOSED);
        assertThat(requests(first)).as("requests of clients").isEqualTo(before);
    }

    @Test
    void checksEndWithTheirCluster() throws Exception {
        gateway = TestGateway.of(new TestGateway.Settings()
                .balancing(checking(Duration.ofSeconds(2), false))
                .cluster(TestGateway.ONLY, first)
                .cluster("other", second)
                .route("/**", TestGateway.ONLY));
        await(() -> !checks(first).isEmpty() && !checks(second).isEmpty());
        gateway.cluster().close();
        int before = checks(first).size();
        int others = checks(second).size();
        await(() -> checks(second).size() >= others + 4);
        assertThat(checks(first)).hasSizeLessThanOrEqualTo(before + 1);
    }
}
