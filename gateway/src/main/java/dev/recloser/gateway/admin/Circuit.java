package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.proxy.Cluster;
import dev.recloser.gateway.proxy.DestinationSnapshot;
import dev.recloser.gateway.proxy.LatencySnapshot;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the admin server shows of a cluster.
 *
 * @param cluster how it is configured
 * @param breaker its breaker
 * @param destinations how its destinations are
 * @param requests how many requests have ended in each way, by reason
 * @param slow how many requests were answered slowly
 * @param inFlight how many requests are under way
 * @param serviceTimes how long the service took to answer
 */
record Circuit(
        ClusterConfig cluster,
        CircuitBreaker breaker,
        Supplier<List<DestinationSnapshot>> destinations,
        Supplier<Map<String, Long>> requests,
        LongSupplier slow,
        LongSupplier inFlight,
        Supplier<LatencySnapshot> serviceTimes) {

    static Circuit of(Cluster cluster) {
        return new Circuit(
                cluster.config(),
                cluster.breaker(),
                cluster::destinationSnapshots,
                cluster.counters()::byReason,
                cluster.counters()::slow,
                cluster.counters()::inFlight,
                cluster::serviceTimes);
    }

    /** Whether the other one is of the same cluster, with the same settings. */
    boolean isAs(Circuit other) {
        return breaker == other.breaker && cluster.equals(other.cluster);
    }

    Totals totals() {
        return new Totals(requests.get(), slow.getAsLong());
    }
}
