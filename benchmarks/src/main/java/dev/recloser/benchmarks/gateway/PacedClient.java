package dev.recloser.benchmarks.gateway;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends requests at a given rate, over connections that each have their own times to send at. A latency counts from the time at
 * which a request was due: if an answer is late, so are those to the requests that had to wait for it. Those of the first second
 * do not count: those proxies that keep idle connections to a service for a few seconds only make new ones then.
 *
 * <p>One thread that never sleeps, since no sleep is as short as the time between two requests; but it yields to the service,
 * with which it may share a core.
 */
final class PacedClient {

    private static final long STARTS_AFTER = Duration.ofMillis(100).toNanos();
    private static final long COUNTS_AFTER = Duration.ofSeconds(1).toNanos();
    private static final long ANSWERS_WITHIN = Duration.ofSeconds(20).toNanos();

    private final Latencies latencies = new Latencies();
    private final Latencies delays = new Latencies();
    private final List<PacedConnection> connections = new ArrayList<>();
    private final Selector selector;
    private final long start;
    private long answered;

    private PacedClient(Selector selector, long start) {
        this.selector = selector;
        this.start = start;
    }

    /**
     * Sends for a while.
     *
     * @param perSecond the rate over all connections
     * @param duration how long for latencies that count
     */
    static Answered run(int port, String path, int connections, double perSecond, Duration duration)
            throws IOException {
        try (Selector selector = Selector.open()) {
            long start = System.nanoTime() + STARTS_AFTER;
            PacedClient client = new PacedClient(selector, start);
            try {
                long interval = Math.round(connections * 1e9 / perSecond);
                for (int i = 0; i < connections; i++) {
                    client.connections.add(
                            PacedConnection.open(selector, port, path, start + interval * i / connections, interval));
                }
                client.run(start + COUNTS_AFTER + duration.toNanos());
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
                    connection.send();
                    if (counts(now) && !connection.hadToWait()) {
                        delays.add(now - connection.due());
                    }
                }
                waiting |= !connection.isFree();
            }
            selector.selectNow(key -> read(key));
            Thread.yield();
        }
    }

    private void read(SelectionKey key) {
        PacedConnection connection = (PacedConnection) key.attachment();
        long due = connection.due();
        if (connection.read()) {
            answered++;
            if (counts(due)) {
                latencies.add(connection.freeSince() - due);
            }
        }
    }

    private boolean counts(long time) {
        return time - start >= COUNTS_AFTER;
    }

    private Answered answered(Duration duration) {
        long[] sorted = latencies.sorted();
        return new Answered(
                answered,
                sorted.length / (duration.toNanos() / 1e9),
                Latencies.percentile(50, sorted),
                Latencies.percentile(99, sorted),
                Latencies.percentile(99, delays.sorted()));
    }
}
