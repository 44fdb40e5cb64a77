package dev.recloser.gateway.load;

import static dev.recloser.gateway.load.Scenario.scaled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.load.EchoService.Behaviour;
import dev.recloser.gateway.proxy.LeakCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Under load and with faults nothing is lost, no answer crossed, and nothing left over. In an ordinary build all is small; with {@code
 * -Drecloser.load=full}, as {@code gateway/load-and-faults} does it, it is not.
 */
@Timeout(180)
@Tag("once")
class LoadAndFaultsTest {

    @RegisterExtension
    static final LeakCheck LEAKS = new LeakCheck();

    private static final Behaviour ECHO = call -> call.send(call.echo());

    private static final List<LoadClient.Slow> SLOW = List.of(LoadClient.Slow.values());

    private EchoService good;
    private EchoService bad;

    @BeforeEach
    void start() throws IOException {
        good = new EchoService(ECHO);
        bad = new EchoService(ECHO);
    }

    @AfterEach
    void stop() throws IOException {
        good.close();
        bad.close();
    }

    private String yaml(int badTimeoutMillis, int badThroughput) {
        return """
                listen: 127.0.0.1:0
                routes:
                  - { match: { path: /good/** }, cluster: good }
                  - { match: { path: /bad/** }, cluster: bad }
                clusters:
                  good: { destinations: [ "http://127.0.0.1:%d" ], timeout: 30s }
                  bad:
                    destinations: [ "http://127.0.0.1:%d" ]
                    timeout: %dms
                    idle-timeout: 200ms
                    circuit-breaker: { minimum-throughput: %d, sampling-duration: 1s, break-duration: 200ms }
                """.formatted(good.port(), bad.port(), badTimeoutMillis, badThroughput);
    }

    private Scenario scenario(String name) throws IOException {
        return new Scenario(name, yaml(200, 5));
    }

    @Test
    void anAnswerToAnotherRequestIsSeen() {
        String expected = Ledger.body("id-1", 100);
        assertThat(Ledger.reason("good", 200, expected, expected)).isEqualTo("ok");
        for (String other : List.of(Ledger.body("id-2", 100), expected + expected, expected.substring(1), "")) {
            assertThatThrownBy(() -> Ledger.reason("good", 200, other, expected))
                    .isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void aFaultyServiceOpensItsCircuitAndHarmsNoNeighbour() throws Exception {
        try (Scenario scenario = scenario("faulty services")) {
            AtomicBoolean stop = scenario.startNeighbours(6);
            for (int round = 0; round < scaled(5, 1); round++) {
                for (Fault fault : Fault.ALL) {
                    suffer(scenario, fault);
                }
            }
            stop.set(true);
            scenario.finish();
            assertThat(scenario.ledger().of("good")).containsOnlyKeys("ok");
        }
    }

    private void suffer(Scenario scenario, Fault fault) throws Exception {
        Map<String, Long> before = scenario.ledger().of("bad");
        bad.behave(fault.behaviour());
        CountDownLatch clients = new CountDownLatch(6);
        AtomicBoolean opened = new AtomicBoolean();
        scenario.startMixed(6, client -> {
            for (int i = 0; i < scaled(40, 6) || (fault.opensCircuit() && !opened.get()); i++) {
                String ending = client.ask("bad", 2000);
                opened.compareAndSet(false, ending.equals("circuit-open"));
                assertThat(fault.allows(ending))
                        .as("%s when the service %s", ending, fault.name())
                        .isTrue();
            }
            clients.countDown();
        });
        Scenario.await(
                "clients of a service that " + fault.name(), () -> clients.getCount() == 0 || scenario.hasLost());
        Map<String, Long> endings = scenario.ledger().since(before, "bad");
        if (fault.opensCircuit()) {
            assertThat(endings).as("endings when the service %s", fault.name()).containsKey("circuit-open");
        }
        bad.behave(ECHO);
        scenario.awaitRecovery("bad");
    }

    @Test
    void aServiceThatIsKilledComesBack() throws Exception {
        Set<String> allowed =
                Set.of("ok", "connect", "upstream-closed", "stale", "circuit-open", Ledger.CUT, Ledger.UNREAD);
        try (Scenario scenario = scenario("kill and restart")) {
            AtomicBoolean stop = scenario.startNeighbours(3);
            scenario.startMixed(6, client -> {
                while (!stop.get()) {
                    assertThat(client.ask("bad", 50_000)).isIn(allowed);
                }
            });
            for (int i = 0; i < scaled(20, 2); i++) {
                bad.kill();
                Scenario.await(
                        "an open circuit", () -> scenario.state("bad") == CircuitState.OPEN || scenario.hasLost());
                bad.comeBack();
                scenario.awaitRecovery("bad");
            }
            stop.set(true);
            scenario.finish();
            assertThat(scenario.ledger().of("good")).containsOnlyKeys("ok");
        }
    }

    @Test
    void manySlowClientsAreServedAndHoldNobodyUp() throws Exception {
        int count = scaled(500, 60);
        try (Scenario scenario = scenario("slow clients")) {
            CountDownLatch half = new CountDownLatch(count + 1);
            for (int i = 0; i < count; i++) {
                LoadClient.Slow where = SLOW.get(i % SLOW.size());
                scenario.start(
                        scenario.client(),
                        client -> ((LoadClient) client)
                                .askSlowly(
                                        "good",
                                        where == LoadClient.Slow.ANSWER ? 200_000 : 2000,
                                        where,
                                        scaled(100, 10),
                                        half));
            }
            Scenario.await("all clients in the middle", () -> half.getCount() == 1 || scenario.hasLost());
            assertThat(scenario.gateway().clientConnections()).isEqualTo(count);
            LoadClient quick = scenario.client();
            for (int i = 0; i < scaled(1000, 50); i++) {
                assertThat(quick.ask("bad", 1000)).isEqualTo("ok");
            }
            half.countDown();
            scenario.finish();
            assertThat(scenario.ledger().all()).containsOnlyKeys("ok");
        }
    }

    @Test
    void largeAnswersToSlowReadersTakeLittleMemory() throws Exception {
        int count = scaled(20, 3);
        long size = scaled(100, 32) * (long) Memory.MIB;
        AtomicLong sent = new AtomicLong();
        good.behave(call -> {
            call.send("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n");
            byte[] block = LoadClient.block(call.id());
            for (long left = size; left > 0; left -= block.length) {
                call.send(block);
                sent.addAndGet(block.length);
            }
        });
        try (Scenario scenario = scenario("slow readers of large bodies")) {
            CountDownLatch mayHaste = new CountDownLatch(1);
            long before = Memory.directNow();
            for (int i = 0; i < count; i++) {
                scenario.start(
                        scenario.client(),
                        client -> ((LoadClient) client).download("good", size, scaled(100, 10), mayHaste));
            }
            Scenario.awaitStandstill(sent);
            assertThat(Memory.directNow() - before)
                    .as("MiB that the gateway holds")
                    .isLessThan(8 + count);
            assertThat(sent.get()).as("what the service got rid of").isLessThan(count * size * 9 / 10);
            mayHaste.countDown();
            scenario.finish();
            assertThat(scenario.ledger().all()).containsOnlyKeys("ok");
        }
    }

    @Test
    void requestsThatTakeAboutAsLongAsTheTimeoutEndOnce() throws Exception {
        int timeout = 100;
        AtomicInteger number = new AtomicInteger();
        bad.behave(call -> {
            int which = number.incrementAndGet();
            Thread.sleep(which % 10 == 0 ? timeout / 2 : which % 10 == 1 ? timeout * 2 : timeout - 4 + which % 7);
            call.send(call.echo());
        });
        try (Scenario scenario = new Scenario("latency about the timeout", yaml(timeout, 1_000_000))) {
            AtomicBoolean stop = scenario.startNeighbours(2);
            CountDownLatch clients = new CountDownLatch(50);
            scenario.startMixed(50, client -> {
                for (int i = 0; i < scaled(40, 4); i++) {
                    assertThat(client.ask("bad", 3000)).isIn("ok", "timeout");
                }
                clients.countDown();
            });
            Scenario.await("the clients", () -> clients.getCount() == 0 || scenario.hasLost());
            stop.set(true);
            scenario.finish();
            assertThat(scenario.ledger().of("bad")).containsOnlyKeys("ok", "timeout");
            assertThat(scenario.ledger().of("good")).containsOnlyKeys("ok");
        }
    }

    @Test
    void reloadingUnderLoadLosesNothing() throws Exception {
        try (Scenario scenario = scenario("reload under load")) {
            AtomicBoolean stop = scenario.startNeighbours(9);
            for (int i = 1; i <= scaled(50, 6); i++) {
                long enough = scenario.ledger().sent() + scaled(200, 20);
                scenario.gateway().reload(Scenario.config(changed(i)));
                Scenario.await("load", () -> scenario.ledger().sent() >= enough || scenario.hasLost());
            }
            stop.set(true);
            scenario.finish();
            assertThat(scenario.ledger().all()).containsOnlyKeys("ok");
        }
    }

    /** The good cluster is at the one service or at the other, and has another neighbour each time. */
    private String changed(int number) {
        int port = number % 2 == 0 ? good.port() : bad.port();
        return """
                listen: 127.0.0.1:0
                routes:
                  - { match: { path: /other/** }, cluster: other-%1$d }
                  - { match: { path: /good/** }, cluster: good }
                clusters:
                  other-%1$d: { destinations: [ "http://127.0.0.1:%2$d" ] }
                  good: { destinations: [ "http://127.0.0.1:%2$d" ], timeout: 30%1$dms }
                """.formatted(number, port).replace("timeout: 30", "timeout: 300");
    }

    @Test
    void drainingUnderLoadLosesNothing() throws Exception {
        for (int round = 0; round < scaled(5, 1); round++) {
            try (Scenario scenario = scenario("drain under load, " + (round + 1))) {
                int count = scaled(64, 16);
                AtomicInteger stopped = new AtomicInteger();
                for (int i = 0; i < count; i++) {
                    LoadClient client = scenario.client();
                    scenario.start(client, unused -> {
                        try {
                            do {
                                client.ask("good", 5000);
                            } while (client.isConnected()); // until it is told that the connection ends
                        } catch (IOException e) {
                            assertThat(scenario.gateway().isDraining()).isTrue();
                        }
                        stopped.incrementAndGet();
                    });
                }
                Scenario.await("load", () -> scenario.ledger().sent() > count * 10L || scenario.hasLost());
                assertThat(scenario.gateway().drain(Duration.ofSeconds(20))).isTrue();
                Scenario.await("the end of all clients", () -> stopped.get() == count || scenario.hasLost());
                scenario.finish();
                assertThat(scenario.ledger().all().keySet()).containsExactly("ok");
            }
        }
    }
}
