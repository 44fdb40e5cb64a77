package dev.recloser.benchmarks.gateway;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends requests at a given rate, over connections that each have their own times to send at. A latency counts from the time at
 * which a request was due: if an answer is late, so are those to the requests that had to wait for it.
 *
 * <p>One thread that never sleeps, since no sleep is as short as the time between two requests; but it yields to the service,
 * with which it may share a core.
 */
final class PacedClient {

    private static final long STARTS_AFTER = Duration.ofMillis(100).toNanos();
    private static final long ANSWERS_WITHIN = Duration.ofSeconds(20).toNanos();

    private final Latencies latencies = new Latencies();
    private final Latencies delays = new Latencies();
    private final List<PacedConnection> connections = new ArrayList<>();
    private final Selector selector;

    private PacedClient(Selector selector) {
        this.selector = selector;
    }

    /**
     * Sends for a while.
     *
     * @param perSecond the rate over all connections
     */
    static Answered run(int port, String path, int connections, double perSecond, Duration duration)
            throws IOException {
        try (Selector selector = Selector.open()) {
            PacedClient client = new PacedClient(selector);
            try {
                long start = System.nanoTime() + STARTS_AFTER;
                long interval = Math.round(connections * 1e9 / perSecond);
                for (int i = 0; i < connections; i++) {
                    client.connections.add(
                            PacedConnection.open(selector, port, path, start + interval * i / connections, interval));
                }
                client.run(start + duration.toNanos());
            } finally {
                for (PacedConnection connection : client.connections) {
                    connection.close();
                }
            }
            return client.answered(duration);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // it only gives way, nothing relies on it
    private void run(long end) throws IOException {
        boolean waiting = true;
        for (long now = System.nanoTime(); now - end < 0 || waiting; now = System.nanoTime()) {
            if (now - end > ANSWERS_WITHIN) {
                throw new IOException("some requests were not answered");
            }
            waiting = false;
            for (PacedConnection connection : connections) {
                if (connection.isToSend(now, end)) {
                    connection.send(now, delays);
                }
                waiting |= !connection.isFree();
            }
            selector.selectNow(key -> read(key));
            Thread.yield();
        }
    }

    private void read(SelectionKey key) {
        ((PacedConnection) key.attachment()).read(latencies);
    }

    private Answered answered(Duration duration) {
        long[] sorted = latencies.sorted();
        return new Answered(
                sorted.length,
                sorted.length / (duration.toNanos() / 1e9),
                Latencies.percentile(50, sorted),
                Latencies.percentile(99, sorted),
                Latencies.percentile(99, delays.sorted()));
    }
}
