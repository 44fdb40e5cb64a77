package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.Reloads;
import dev.recloser.gateway.config.ConfigChanges;
import dev.recloser.gateway.config.GatewayConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Another configuration takes effect at once, and disturbs nothing that goes on. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class ReloadTest {

    private static final String HELLO = ScriptedService.answer(200, "hello");
    private static final String POST = "POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi";

    private static TestGateway.Settings settings() {
        return new TestGateway.Settings();
    }

    @Test
    void anUnchangedClusterKeepsItsConnectionsAndCounts() throws Exception {
        try (ScriptedService service = ScriptedService.answering(HELLO);
                TestGateway gateway =
                        TestGateway.of(settings().cluster("a", service).route("/**", "a"));
                RawClient client = gateway.client()) {
            assertThat(client.get("/x").answer().status()).isEqualTo(200);
            Cluster before = gateway.cluster("a");
            ConfigChanges changes = gateway.gateway()
                    .reload(settings()
                            .cluster("a", service)
                            .cluster("b", service)
                            .route("/b", "b")
                            .route("/**", "a")
                            .config());
            assertThat(changes.describe()).isEqualTo("cluster b added; routes changed");
            assertThat(client.get("/x").answer().status()).isEqualTo(200);
            assertThat(service.connections()).isEqualTo(1);
            assertThat(client.get("/b").answer().status()).isEqualTo(200);
            assertThat(gateway.cluster("a")).isSameAs(before);
            assertThat(gateway.cluster("a").counters().count(Ending.OK)).isEqualTo(2);
            assertThat(gateway.cluster("b").counters().count(Ending.OK)).isEqualTo(1);
        }
    }

    @Test
    void requestsUnderWayEndByTheOldSettingsAndNewOnesGoByTheNew() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        try (ScriptedService first = new ScriptedService(ScriptedService.heldUntil(open, HELLO));
                ScriptedService second = new ScriptedService((head, connection) -> {});
                TestGateway gateway =
                        TestGateway.of(settings().cluster("a", first).route("/**", "a"));
                RawClient early = gateway.client();
                RawClient late = gateway.client()) {
            early.get("/early");
            awaitRequests(first, 1);
            gateway.gateway()
                    .reload(settings()
                            .timeout(150)
                            .cluster("a", second)
                            .route("/**", "a")
                            .config());
            assertThat(late.get("/late").answer().status()).isEqualTo(504);
            assertThat(second.requests()).hasSize(1);
            open.countDown();
            assertThat(early.answer().body()).isEqualTo("hello");
            awaitIdle(gateway.cluster("a").counters(), 0);
            assertThat(gateway.cluster("a").counters().count(Ending.OK)).isEqualTo(1);
            assertThat(gateway.cluster("a").counters().count(Ending.TIMEOUT)).isEqualTo(1);
        }
    }

    @Test
    void aClusterThatIsGoneEndsWithItsLastRequest() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        try (ScriptedService service = new ScriptedService(ScriptedService.heldUntil(open, HELLO));
                TestGateway gateway = TestGateway.of(settings()
                        .cluster("a", service)
                        .cluster("b", service)
                        .route("/a", "a")
                        .route("/b", "b"));
                RawClient client = gateway.client()) {
            Cluster gone = gateway.cluster("b");
            List<String> bound = new ArrayList<>();
            gateway.gateway().forEachCluster(cluster -> {
                bound.add("+" + cluster.name());
                return () -> bound.add("-" + cluster.name());
            });
            client.get("/b");
            awaitRequests(service, 1);
            GatewayConfig without =
                    settings().cluster("a", service).route("/a", "a").config();
            assertThat(gateway.gateway().reload(without).removed()).containsExactly("b");
            assertThat(bound).containsExactlyInAnyOrder("+a", "+b", "-b");
            assertThat(gateway.gateway().clusters()).containsOnlyKeys("a");
            assertThat(gateway.get("/b").status()).isEqualTo(404);
            open.countDown();
            assertThat(client.answer().body()).isEqualTo("hello");
            awaitIdle(gone.counters(), 0);
            assertThat(gone.counters().upstreamInUse()).isZero();
            assertThat(gone.counters().count(Ending.OK)).isEqualTo(1);
            assertThat(client.get("/b").answer().status()).isEqualTo(404);
        }
    }

    @Test
    void aChangedClusterKeepsItsCircuitAndTakesTheNewSettingsOfIt() throws Exception {
        try (ScriptedService service = ScriptedService.answering(ScriptedService.answer(500, ""));
                TestGateway gateway =
                        TestGateway.of(settings().cluster("a", service).route("/**", "a"));
                RawClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                client.get("/x").answer();
            }
            assertThat(gateway.cluster("a").breaker().state()).isEqualTo(CircuitState.OPEN);
            GatewayConfig changed = settings()
                    .breakDuration(TestGateway.BREAK.multipliedBy(100))
                    .timeout(700)
                    .cluster("a", service)
                    .route("/**", "a")
                    .config();
            gateway.gateway().reload(changed);
            Cluster cluster = gateway.cluster("a");
            assertThat(cluster.breaker().state()).isEqualTo(CircuitState.OPEN);
            assertThat(cluster.breaker().options().describe())
                    .isEqualTo(changed.clusters().get("a").circuitBreaker().describe());
            assertThat(cluster.counters().count(Ending.UPSTREAM_5XX)).isEqualTo(5);
            assertThat(cluster.config()).isSameAs(changed.clusters().get("a"));
        }
    }

    @Test
    void whereItListensStaysAndIsToldAgainUntilItIsAsItWas() throws Exception {
        try (ScriptedService service = ScriptedService.answering(HELLO);
                TestGateway gateway =
                        TestGateway.of(settings().cluster("a", service).route("/**", "a"))) {
            TestGateway.Settings other =
                    settings().listen(1).timeout(700).cluster("a", service).route("/**", "a");
            Reloads reloads = gateway.gateway().reloads();
            ConfigChanges changes = gateway.gateway().reload(other.config());
            assertThat(changes.fixed()).containsExactly("listen");
            assertThat(changes.changed()).containsExactly("a");
            assertThat(gateway.get("/x").status()).isEqualTo(200);
            assertThat(gateway.gateway().reload(other.config()).fixed()).containsExactly("listen");
            assertThat(reloads.countOf(Reloads.Result.SUCCESS)).isEqualTo(1);
            assertThat(reloads.countOf(Reloads.Result.UNCHANGED)).isEqualTo(1);
            assertThat(gateway.gateway().reload(other.listen(0).config()).fixed())
                    .isEmpty();
        }
    }

    /** Settings that change all the time, clusters that come and go, and destinations that take turns. */
    @Test
    void manyReloadsUnderLoadFailNoRequestAndLeaveNothingBehind() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        try (ScriptedService first = ScriptedService.answering(HELLO);
                ScriptedService second = ScriptedService.answering(HELLO)) {
            Server server = new Server(config(0, first, second), null);
            try {
                List<Integer> lists = deadlineLists(server);
                List<Future<?>> clients = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    clients.add(threads.submit(() -> {
                        try (RawClient client = new RawClient(server.address())) {
                            while (!done.get()) {
                                assertThat(client.send(POST).answer().status()).isEqualTo(200);
                                answered.incrementAndGet();
                            }
                        }
                        return null;
                    }));
                }
                for (int i = 1; i <= 50; i++) {
                    int enough = answered.get() + 5;
                    server.serve(config(i, first, second), () -> {});
                    while (answered.get() < enough && clients.stream().noneMatch(Future::isDone)) {
                        Thread.onSpinWait();
                    }
                }
                done.set(true);
                for (Future<?> client : clients) {
                    client.get(10, TimeUnit.SECONDS);
                }
                server.serve(config(0, first, second), () -> {});
                Cluster cluster = server.clusters().get("a");
                assertThat(cluster.counters().count(Ending.OK)).isEqualTo(answered.get());
                assertThat(cluster.counters().size()).isEqualTo(server.loops().size());
                assertThat(cluster.serviceTimes().count()).isEqualTo(answered.get());
                awaitIdle(cluster.counters(), 0);
                assertThat(cluster.counters().upstreamInUse()).isZero();
                assertThat(deadlineLists(server)).isEqualTo(lists);
                assertThat(server.clusters().values())
                        .extracting(each -> each.index)
                        .containsOnly(0, 1);
            } finally {
                server.close();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Another cluster is there beside the first, by another name each time. */
    private static GatewayConfig config(int number, ScriptedService first, ScriptedService second) {
        return settings()
                .timeout(5000 + number)
                .idleTimeout(6000 + number)
                .cluster("a", number % 2 == 0 ? first : second)
                .cluster("other-" + number, first)
                .route("/other", "other-" + number)
                .route("/**", "a")
                .config();
    }

    private static List<Integer> deadlineLists(Server server) throws Exception {
        List<Integer> sizes = new ArrayList<>();
        for (Loop loop : server.loops()) {
            sizes.add(loop.eventLoop().submit(() -> loop.deadlines().size()).get(10, TimeUnit.SECONDS));
        }
        return sizes;
    }

    private static void awaitRequests(ScriptedService service, int count) throws InterruptedException {
        long end = System.nanoTime() + RawConnection.BOUND.toNanos();
        while (service.requests().size() < count && System.nanoTime() < end) {
            Thread.sleep(2);
        }
        assertThat(service.requests()).hasSizeGreaterThanOrEqualTo(count);
    }

    /** Not so long that an idle connection would be closed for its age. */
    private static void awaitIdle(Counters counters, long count) throws InterruptedException {
        long end = System.nanoTime() + Limits.POOLED_IDLE.dividedBy(2).toNanos();
        while ((counters.upstreamIdle() != count || counters.upstreamInUse() != 0) && System.nanoTime() < end) {
            Thread.sleep(2);
        }
        assertThat(counters.upstreamIdle()).isEqualTo(count);
    }
}
