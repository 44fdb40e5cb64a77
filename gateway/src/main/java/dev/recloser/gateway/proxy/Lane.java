package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.ConnectionLimitConfig;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop keeps for one cluster and its settings: connection pools, whose turn it is, its deadlines, and what is measured. When
 * the settings change, another lane takes its place, and requests under way end on the one on which they began.
 */
final class Lane {

    final Cluster cluster;
    final Cluster.Setup setup;
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

    /** Null when there may be any number of connections. */
    final @Nullable ConnectionLimit limit;

    private final @Nullable DeadlineList waits;
    private final Loop loop;
    private final Destinations destinations;
    private final Pool[] pools;
    private final Balancer balancer;
    private final Deadlines deadlines;
    private boolean retired;

    /**
     * A lane.
     *
     * @param before the lane of the same cluster on the same loop whose place it takes, if it takes one
     */
    Lane(Cluster cluster, Cluster.Setup setup, Loop loop, @Nullable Lane before) {
        this.cluster = cluster;
        this.setup = setup;
        this.loop = loop;
        this.deadlines = loop.deadlines();
        ClusterConfig config = setup.config();
        Lane same = before != null && before.setup.destinations() == setup.destinations() ? before : null;
        this.connects = deadlines.after(config.connectTimeout());
        this.answers = deadlines.after(config.timeout());
        this.bodies = deadlines.after(config.idleTimeout());
        this.totals = config.totalTimeout().map(deadlines::after).orElse(null);
        this.tally = before == null ? cluster.counters().forLoop() : before.tally;
        this.serviceTimes = before == null ? cluster.serviceTimesOfLoops().forLoop() : before.serviceTimes;
        this.overheads = before == null ? cluster.overheadsOfLoops().forLoop() : before.overheads;
        this.slowNanos = answers.lengthNanos / 2;
        this.maxRequestBody = config.limits().maxRequestBody().orElse(Long.MAX_VALUE);
        Optional<ConnectionLimitConfig> connections = config.limits().connections();
        this.limit = connections.isPresent() ? cluster.connections() : null;
        this.waits = connections.map(each -> deadlines.after(each.maxWait())).orElse(null);
        this.destinations = setup.destinations();
        this.pools = new Pool[destinations.all().size()];
        this.balancer = same == null ? destinations.balancer() : same.balancer;
        for (int i = 0; i < pools.length; i++) {
            Destination destination = destinations.all().get(i);
            Underway.OfLoop underway = same == null ? destination.underway().forLoop() : same.pools[i].underway;
            pools[i] = Pool.of(destination, i, underway, this, loop);
        }
        if (limit != null) {
            limit.add(this);
        }
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

    /** The same, but none that is not well; null if there is no such. */
    @Nullable
    Pool chooseWell(BitSet tried) {
        int chosen = pools.length == 1 ? Balancer.NONE : balancer.chooseWell(tried, deadlines.now());
        return chosen == Balancer.NONE ? null : pools[chosen];
    }

    Pool[] pools() {
        return pools;
    }

    /** Somebody begins to wait for a connection. */
    void waits(Deadline until) {
        if (waits != null) {
            waits.arm(until);
        }
    }

    /** Those who wait for a connection, on whatever loop, get the places of those that are idle here. On any thread. */
    void giveUpIdle() {
        VarHandle.fullFence(); // see the same in Pool
        if (tally.idleCount() > 0) {
            try {
                loop.eventLoop().execute(() -> {
                    for (Pool pool : pools) {
                        pool.giveUpIdle();
                    }
                });
            } catch (RejectedExecutionException e) {
                // the loop has ended, and all connections with it
            }
        }
    }

    void closeIdle() {
        for (Pool pool : pools) {
            pool.closeIdle();
        }
    }

    /** No request comes any more. Those under way end here, and no connection is kept. */
    void retire() {
        retired = true;
        closeIdle();
        deadlines.leave(connects);
        deadlines.leave(answers);
        deadlines.leave(bodies);
        if (totals != null) {
            deadlines.leave(totals);
        }
        if (waits != null) {
            deadlines.leave(waits);
        }
        if (limit != null) {
            limit.remove(this);
        }
    }

    boolean isRetired() {
        return retired;
    }
}
