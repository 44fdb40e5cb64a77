package dev.recloser.gateway.proxy;

import java.util.Arrays;
import java.util.BitSet;
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

    private final Destinations destinations;
    private final Pool[] pools;
    private final Balancer balancer;
    private final Deadlines deadlines;

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
        this.destinations = cluster.destinations();
        this.pools = new Pool[destinations.all().size()];
        Arrays.setAll(pools, number -> new Pool(destinations.all().get(number), number, this, loop));
        this.balancer = destinations.balancer();
    }

    /**
     * Whose turn it is among the destinations that were not tried: one that is well, if there is one.
     *
     * @param tried the {@linkplain Pool#number numbers} of those that were tried
     * @return null when all were tried, or checks say of all that they are not well
     */
    @Nullable
    Pool choose(@Nullable BitSet tried) {
        if (destinations.areAllDown()) {
            return null;
        }
        if (pools.length == 1) {
            return tried == null ? pools[0] : null;
        }
        int chosen = balancer.choose(tried, deadlines.now());
        return chosen == Balancer.NONE ? null : pools[chosen];
    }

    void closeIdle() {
        for (Pool pool : pools) {
            pool.closeIdle();
        }
    }
}
