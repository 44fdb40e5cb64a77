package dev.recloser.gateway.proxy;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one event loop keeps for one cluster: connection pools, whose turn it is, its deadlines, and what is measured. */
final class Lane {

    final Cluster cluster;
    final DeadlineList connects;
    final DeadlineList answers;
    final DeadlineList bodies;

    /** Null when the total time is not bounded. */
    final @Nullable DeadlineList totals;

    final Tally tally;
    final LatencyHistogram serviceTimes;
    final LatencyHistogram overheads;

    /** A good answer that took longer counts as slow. */
    final long slowNanos;

    /** How many bytes the body of a request may have. */
    final long maxRequestBody;

    private final List<Pool> pools;
    private final Deadlines deadlines;
    private int next;

    Lane(Cluster cluster, Loop loop) {
        this.cluster = cluster;
        this.deadlines = loop.deadlines();
        this.connects = deadlines.after(cluster.config().connectTimeout());
        this.answers = deadlines.after(cluster.config().timeout());
        this.bodies = deadlines.after(cluster.config().idleTimeout());
        this.totals = cluster.config().totalTimeout().map(deadlines::after).orElse(null);
        this.tally = cluster.counters().forLoop();
        this.serviceTimes = cluster.serviceTimesOfLoops().forLoop();
        this.overheads = cluster.overheadsOfLoops().forLoop();
        this.slowNanos = answers.lengthNanos / 2;
        this.maxRequestBody = cluster.config().limits().maxRequestBody().orElse(Long.MAX_VALUE);
        this.pools = cluster.destinations().stream()
                .map(destination -> new Pool(destination, this, loop))
                .toList();
    }

    /**
     * Whose turn it is among the destinations that were not tried: one that is not resting, if there is one.
     *
     * @param tried the numbers of those that were tried
     * @return null when all were tried
     */
    @Nullable
    Pool choose(@Nullable BitSet tried) {
        int size = pools.size();
        if (size == 1) {
            return tried == null ? pools.get(0) : null;
        }
        int start = next;
        if (tried == null) { // a second choice for a request is nobody's turn
            next = start + 1 == size ? 0 : start + 1;
        }
        Pool resting = null;
        long now = deadlines.now();
        for (int i = 0; i < size; i++) {
            Pool pool = pools.get((start + i) % size);
            if (tried == null || !tried.get(indexOf(pool))) {
                if (!pool.isResting(now)) {
                    return pool;
                }
                resting = resting == null ? pool : resting;
            }
        }
        return resting;
    }

    int indexOf(Pool pool) {
        return pools.indexOf(pool);
    }

    void closeIdle() {
        pools.forEach(Pool::closeIdle);
    }
}
