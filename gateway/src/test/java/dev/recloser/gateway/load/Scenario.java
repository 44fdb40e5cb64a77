package dev.recloser.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.proxy.Cluster;
import dev.recloser.gateway.proxy.Counters;
import dev.recloser.gateway.proxy.Http2Peer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A gateway with load on it, and what must hold when the load is over. Nothing waits longer than a bound. */
final class Scenario implements AutoCloseable {

    /** What a client does, again and again or once. */
    interface Work {
        void with(Asking client) throws Exception;
    }

    /** Whether all is done at full size, which takes minutes; else in seconds. */
    static final boolean FULL = "full".equals(System.getProperty("recloser.load"));

    static final Duration BOUND = Duration.ofSeconds(60);
    private static final long MOST_GROWTH = 16;

    private final String name;
    private final Ledger ledger = new Ledger();
    private final Memory before = Memory.now();
    private final Gateway gateway;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private final List<LoadClient> clients = new CopyOnWriteArrayList<>();
    private final List<Http2Peer> connections = new CopyOnWriteArrayList<>();
    private final long began = System.nanoTime();

    Scenario(String name, String yaml) throws IOException {
        this.name = name;
        this.gateway = Gateway.start(config(yaml));
        if (FULL) {
            System.out.println("load: " + name + " ...");
        }
    }

    static GatewayConfig config(String yaml) {
        return ConfigReader.parse("load", yaml).config().orElseThrow();
    }

    static int scaled(int full, int brief) {
        return FULL ? full : brief;
    }

    Gateway gateway() {
        return gateway;
    }

    Ledger ledger() {
        return ledger;
    }

    Cluster cluster(String cluster) {
        return gateway.clusters().get(cluster);
    }

    CircuitState state(String cluster) {
        return cluster(cluster).breaker().state();
    }

    // ---- clients

    LoadClient client() {
        LoadClient client = new LoadClient(gateway.address(), ledger);
        clients.add(client);
        return client;
    }

    /** A connection of HTTP/2. */
    Http2Peer http2() {
        Http2Peer connection = Http2Peer.client(gateway.address());
        connections.add(connection);
        return connection;
    }

    void start(Asking client, Work work) {
        running.add(threads.submit(() -> {
            work.with(client);
            return null;
        }));
    }

    /** Starts clients: every third shares a connection of HTTP/2 with its like, the others have one of HTTP/1.1 each. */
    void startMixed(int count, Work work) {
        Http2Peer shared = http2();
        for (int i = 0; i < count; i++) {
            start(i % 3 == 2 ? new Http2Asking(shared, ledger) : client(), work);
        }
    }

    /** Starts clients of the good service that go on until they may stop. */
    AtomicBoolean startNeighbours(int count) {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger sizes = new AtomicInteger();
        startMixed(count, client -> {
            while (!stop.get()) {
                assertThat(client.ask("good", 100 + sizes.addAndGet(97) % 20_000))
                        .isEqualTo("ok");
            }
        });
        return stop;
    }

    /** Waits for all clients to be done, and fails as the first of them that did. */
    void join() throws Exception {
        for (Future<?> each : running) {
            each.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        }
        running.clear();
    }

    /** Whether a client has failed. */
    boolean hasLost() {
        return running.stream().anyMatch(each -> {
            try {
                return each.isDone() && each.get() != null;
            } catch (Exception e) {
                return true;
            }
        });
    }

    /** Waits until the circuit is closed again and requests end well; a few must come for that. */
    void awaitRecovery(String cluster) throws Exception {
        try (LoadClient client = client()) {
            await("the recovery of " + cluster, () -> {
                try {
                    return client.ask(cluster, 100).equals("ok") && state(cluster) == CircuitState.CLOSED;
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("the time by which is due: %s", what)
                    .isLessThan(end);
            LockSupport.parkNanos(2_000_000);
        }
    }

    /** Waits until a number is above zero, and does not grow any more. */
    static void awaitStandstill(AtomicLong counter) throws InterruptedException {
        for (long before = -1; counter.get() != before || before == 0; ) {
            before = counter.get();
            Thread.sleep(200);
        }
    }

    // ---- what must hold

    /** All clients are done: what they have seen is what the gateway has counted, and nothing is left of it. */
    void finish() throws Exception {
        join();
        closeClients();
        await("no client", () -> gateway.clientConnections() == 0);
        for (Cluster cluster : gateway.clusters().values()) {
            Counters counters = cluster.counters();
            await("nothing under way", () -> counters.inFlight() == 0 && counters.upstreamInUse() == 0);
            assertThat(counters.byReason())
                    .as("what the gateway has counted, as its clients saw it")
                    .isEqualTo(counted(ledger.of(cluster.name())));
        }
        assertThat(sum(ledger.all())).as("requests ended").isEqualTo(ledger.sent());
        assertThat(gateway.unrouted().byReason()).isEmpty();
        gateway.close();
        Memory after = Memory.now();
        report(after);
        assertThat(after.heap() - before.heap())
                .as("MiB of heap more than before")
                .isLessThan(MOST_GROWTH);
        assertThat(after.direct() - before.direct())
                .as("MiB of direct memory more than before")
                .isLessThan(MOST_GROWTH);
    }

    private void closeClients() throws IOException {
        for (LoadClient client : clients) {
            client.close();
        }
        connections.forEach(Http2Peer::close);
        clients.clear();
        connections.clear();
    }

    /** How the gateway counts that. What it has not read, because it was going down, it has not counted. */
    private Map<String, Long> counted(Map<String, Long> seen) {
        Map<String, Long> counts = new TreeMap<>(seen);
        long unread = counts.containsKey(Ledger.UNREAD) ? counts.remove(Ledger.UNREAD) : 0;
        long cut = counts.containsKey(Ledger.CUT) ? counts.remove(Ledger.CUT) : 0;
        long broken = cut + (gateway.isDraining() ? 0 : unread);
        if (broken > 0) {
            counts.put("body-cut", broken);
        }
        return counts;
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private void report(Memory after) {
        if (FULL) {
            System.out.printf(
                    "load: %-28s %8d requests %5.1f s   heap %3d > %3d MiB   direct %3d > %3d MiB   %s%n",
                    name,
                    ledger.sent(),
                    (System.nanoTime() - began) / 1e9,
                    before.heap(),
                    after.heap(),
                    before.direct(),
                    after.direct(),
                    ledger.all());
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        closeClients();
        gateway.close();
    }
}
