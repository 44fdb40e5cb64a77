package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.ConnectionLimitConfig;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.gateway.config.LimitsConfig;
import dev.recloser.gateway.config.RetryConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many connections there may be to each destination, and who waits for one. Two event loops, to which clients come in turns. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class ConnectionLimitTest {

    private static final String LOOPS = "recloser.loops";
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String HELLO = ScriptedService.answer(200, "hello");
    private static final String CLOSING = HELLO.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    private static final String UPGRADE =
            "GET /chat HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

    private final CountDownLatch open = new CountDownLatch(1);
    private ScriptedService service;
    private TestGateway gateway;

    @BeforeAll
    static void twoLoops() {
        System.setProperty(LOOPS, "2");
    }

    @AfterAll
    static void asManyAsUsual() {
        System.clearProperty(LOOPS);
    }

    @BeforeEach
    void startService() throws IOException {
        service = ScriptedService.answering(HELLO);
    }

    @AfterEach
    void stop() throws IOException {
        open.countDown();
        gateway.close();
        service.close();
    }

    private static TestGateway.Settings settings(int most, int queue, Duration maxWait) {
        ConnectionLimitConfig config = new ConnectionLimitConfig(most, queue, maxWait);
        return new TestGateway.Settings()
                .limits(new LimitsConfig(
                        Optional.empty(), Optional.empty(), OptionalLong.empty(), Optional.of(config)));
    }

    private void start(TestGateway.Settings settings, ScriptedService... services) throws IOException {
        gateway = TestGateway.of(settings.cluster(TestGateway.ONLY, services).route("/**", TestGateway.ONLY));
    }

    private void hold(ScriptedService held) {
        held.now(ScriptedService.heldUntil(open, HELLO));
    }

    private static void awaitAt(ScriptedService asked, int requests) {
        TestGateway.until(() -> asked.requests().size() == requests);
    }

    private void awaitWaiting(int requests) {
        TestGateway.until(() -> gateway.cluster().connections().waiting() == requests);
    }

    private int connectionsTo(ScriptedService to) {
        return gateway.cluster()
                .connections()
                .room(new HostPort("127.0.0.1", to.port()))
                .taken();
    }

    @Test
    void theFirstToWaitIsTheFirstToGoOnWhicheverLoopItIsOn() throws IOException {
        start(settings(1, 10, LONG), service);
        hold(service);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            clients.add(gateway.client().get("/" + i));
            if (i == 0) {
                awaitAt(service, 1);
            } else {
                awaitWaiting(i);
            }
        }
        open.countDown();
        for (RawClient client : clients) {
            assertThat(client.answer().body()).isEqualTo("hello");
            client.close();
        }
        assertThat(service.requests()).extracting(Received::target).containsExactly("/0", "/1", "/2", "/3", "/4");
        assertThat(connectionsTo(service)).isEqualTo(1);
    }

    @Test
    void beyondTheQueueARequestIsTurnedAwayAndNobodyIsToBlame() throws IOException {
        start(settings(1, 1, LONG), service);
        hold(service);
        try (RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            first.get("/first");
            awaitAt(service, 1);
            second.send("POST /second HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi");
            awaitWaiting(1);
            Received turnedAway = gateway.get("/third");
            assertThat(turnedAway.status()).isEqualTo(503);
            assertThat(turnedAway.header("Retry-After")).isEqualTo("1");
            assertThat(turnedAway.body()).contains("\"reason\":\"limit\"", "\"cluster\":\"service\"");
            open.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(second.answer().status()).isEqualTo(200);
        }
        assertThat(service.requests()).hasSize(2);
        assertThat(gateway.count(Ending.LIMIT)).isEqualTo(1);
        TestGateway.until(() -> gateway.cluster().breaker().snapshot().calls() == 2);
    }

    @Test
    void aWaitThatTakesTooLongEndsWithoutTheService() throws IOException {
        start(settings(1, 1, Duration.ofMillis(50)), service);
        hold(service);
        try (RawClient first = gateway.client()) {
            first.get("/first");
            awaitAt(service, 1);
            Received waited = gateway.get("/second");
            assertThat(waited.status()).isEqualTo(503);
            assertThat(waited.header("Retry-After")).isEqualTo("1");
            assertThat(waited.body()).contains("\"reason\":\"queue-timeout\"");
        }
        assertThat(service.requests()).hasSize(1);
        assertThat(gateway.cluster().connections().waiting()).isZero();
        assertThat(gateway.cluster().breaker().snapshot().calls()).isZero();
    }

    @Test
    void theTotalTimeEndsAWaitAsTheWaitItself() throws IOException {
        start(settings(1, 1, LONG).totalTimeout(100), service);
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
            open.await();
        });
        try (RawClient tunnel = gateway.client()) {
            assertThat(tunnel.send(UPGRADE).head().status()).isEqualTo(101);
            assertThat(gateway.get("/second").body()).contains("\"reason\":\"queue-timeout\"");
        }
    }

    @Test
    void aClientThatLeavesLeavesItsPlaceInTheQueue() throws IOException {
        start(settings(1, 1, LONG), service);
        hold(service);
        try (RawClient first = gateway.client();
                RawClient third = gateway.client()) {
            first.get("/first");
            awaitAt(service, 1);
            try (RawClient gone = gateway.client()) {
                gone.get("/gone");
                awaitWaiting(1);
            }
            awaitWaiting(0);
            third.get("/third");
            awaitWaiting(1);
            open.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(third.answer().status()).isEqualTo(200);
        }
        assertThat(service.requests()).extracting(Received::target).containsExactly("/first", "/third");
        assertThat(gateway.count(Ending.CLIENT_GONE)).isEqualTo(1);
    }

    @Test
    void aConnectionThatBreaksMakesRoom() throws IOException {
        start(settings(1, 1, LONG), service);
        service.now((head, connection) -> {
            open.await();
            service.now(ScriptedService.always(HELLO));
            connection.close();
        });
        try (RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            first.get("/first");
            awaitAt(service, 1);
            second.get("/second");
            awaitWaiting(1);
            open.countDown();
            assertThat(first.answer().status()).isEqualTo(502);
            assertThat(second.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void anIdleConnectionOfAnotherLoopIsGivenUp() throws IOException {
        start(settings(1, 1, LONG), service);
        try (RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            assertThat(first.get("/1").answer().status()).isEqualTo(200);
            assertThat(second.get("/2").answer().status()).isEqualTo(200);
            assertThat(first.get("/3").answer().status()).isEqualTo(200);
        }
        assertThat(service.connections()).isEqualTo(3);
        TestGateway.until(() -> gateway.cluster().counters().upstreamIdle() == 1);
        assertThat(connectionsTo(service)).isEqualTo(1);
    }

    @Test
    void anotherDestinationWithRoomTakesTheRequest() throws IOException {
        hold(service);
        try (ScriptedService other = new ScriptedService(ScriptedService.heldUntil(open, HELLO))) {
            start(settings(1, 2, LONG), service, other);
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(gateway.client().get("/x"));
            }
            awaitAt(service, 1);
            awaitAt(other, 1);
            awaitWaiting(2);
            open.countDown();
            for (RawClient client : clients) {
                assertThat(client.answer().status()).isEqualTo(200);
                client.close();
            }
        }
    }

    @Test
    void aTunnelIsAConnectionUntilItEnds() throws IOException {
        start(settings(1, 1, LONG), service);
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
            service.now(ScriptedService.always(HELLO));
            connection.readToEnd();
        });
        try (RawClient second = gateway.client()) {
            try (RawClient tunnel = gateway.client()) {
                assertThat(tunnel.send(UPGRADE).head().status()).isEqualTo(101);
                second.get("/second");
                awaitWaiting(1);
            }
            assertThat(second.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aNumberThatIsRaisedMakesRoomAtOnceAndCountsWhatThereIs() throws Exception {
        start(settings(1, 9, LONG), service);
        hold(service);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(gateway.client().get("/x"));
        }
        awaitAt(service, 1);
        awaitWaiting(2);
        gateway.gateway().reload(changed(2));
        awaitAt(service, 2);
        clients.add(gateway.client().get("/x"));
        awaitWaiting(2);
        assertThat(gateway.cluster().connectionsAwaited()).hasValue(2);
        assertThat(connectionsTo(service)).isEqualTo(2);
        gateway.gateway()
                .reload(new TestGateway.Settings()
                        .cluster(TestGateway.ONLY, service)
                        .route("/**", TestGateway.ONLY)
                        .config());
        awaitAt(service, 4);
        open.countDown();
        for (RawClient client : clients) {
            assertThat(client.answer().status()).isEqualTo(200);
            client.close();
        }
        TestGateway.until(() -> connectionsTo(service) == 0);
    }

    @Test
    void aNumberThatIsLoweredHoldsAsSoonAsEnoughRequestsHaveEnded() throws Exception {
        start(settings(3, 9, LONG), service);
        hold(service);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(gateway.client().get("/x"));
        }
        awaitAt(service, 3);
        gateway.gateway().reload(changed(1));
        for (int i = 0; i < 5; i++) {
            clients.add(gateway.client().get("/x"));
        }
        awaitWaiting(5);
        Busy later = new Busy();
        service.now(later);
        open.countDown();
        for (RawClient client : clients) {
            assertThat(client.answer().status()).isEqualTo(200);
            client.close();
        }
        assertThat(later.most.get()).isEqualTo(1);
        assertThat(connectionsTo(service)).isLessThanOrEqualTo(1);
    }

    private GatewayConfig changed(int most) {
        return settings(most, 9, LONG)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY)
                .config();
    }

    @Test
    void aSecondAttemptHasTheRoomOfTheFirst() throws IOException {
        start(settings(1, 0, LONG).timeout(100).retry(new RetryConfig(1, Set.of(), 0, 0, 100)), service);
        service.now((head, connection) -> service.now(ScriptedService.always(HELLO)));
        assertThat(gateway.get("/x").status()).isEqualTo(200);
        assertThat(service.connections()).isEqualTo(2);
        assertThat(connectionsTo(service)).isEqualTo(1);
    }

    /** Connections that are kept and that are not, two destinations, and clients on both loops. */
    @Test
    void nobodyIsLostAndThereAreNeverMoreThanThereMayBe() throws Exception {
        Busy first = new Busy();
        Busy second = new Busy();
        ExecutorService threads = Executors.newFixedThreadPool(12);
        try (ScriptedService other = new ScriptedService(second)) {
            service.now(first);
            start(settings(3, 100, LONG), service, other);
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                clients.add(threads.submit(() -> {
                    try (RawClient client = gateway.client()) {
                        for (int request = 0; request < 20; request++) {
                            assertThat(client.get("/x").answer().status()).isEqualTo(200);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> client : clients) {
                client.get(30, TimeUnit.SECONDS);
            }
            assertThat(gateway.cluster().connections().waiting()).isZero();
            TestGateway.until(
                    () -> gateway.cluster().counters().upstreamIdle() == connectionsTo(service) + connectionsTo(other));
        } finally {
            threads.shutdownNow();
        }
        assertThat(first.most.get()).isLessThanOrEqualTo(3);
        assertThat(second.most.get()).isLessThanOrEqualTo(3);
    }

    /** Counts how many requests it has at a time. */
    private static final class Busy implements ScriptedService.Script {
        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger all = new AtomicInteger();

        @Override
        public void answer(Received head, RawConnection connection) throws IOException {
            int busy = now.incrementAndGet();
            most.accumulateAndGet(busy, Math::max);
            now.decrementAndGet();
            if (all.incrementAndGet() % 5 == 0) {
                connection.send(CLOSING);
                connection.close();
            } else {
                connection.send(HELLO);
            }
        }
    }
}
