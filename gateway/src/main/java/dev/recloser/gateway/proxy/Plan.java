package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ClientsConfig;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.ListenerTls;
import dev.recloser.time.TimeSource;
import io.netty.handler.ssl.SslContext;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is served by one configuration: the clusters, the settings of each, the routes to them, and what clients may do. Every event loop
 * serves by one plan at a time, and goes over to the next one between two events, so that no request sees a part of each. Immutable.
 */
final class Plan {

    private final Map<String, Cluster> clusters;
    private final Map<Cluster, Cluster.Setup> setups;
    private final RouteTable routes;
    private final Optional<ListenerTls> tlsConfig;
    private final @Nullable SslContext tls;
    private final ClientsConfig clients;

    private Plan(
            GatewayConfig config,
            Map<String, Cluster> clusters,
            Map<Cluster, Cluster.Setup> setups,
            @Nullable Plan before) {
        this.clusters = Collections.unmodifiableMap(clusters);
        this.setups = Collections.unmodifiableMap(setups);
        this.routes = new RouteTable(config.routes(), clusters);
        this.tlsConfig = config.tls();
        this.tls = before != null && before.tlsConfig.equals(tlsConfig)
                ? before.tls // with the sessions that clients can resume
                : tlsConfig.map(Tls::forClients).orElse(null);
        this.clients = config.clients();
    }

    /** TLS with clients; null where there is none. */
    @Nullable
    SslContext tls() {
        return tls;
    }

    /**
     * The plan for a configuration. Clusters of the same name are the same; if they have the same settings too, they have the same setup.
     *
     * @param before the plan so far, if there is one
     */
    static Plan of(GatewayConfig config, @Nullable Plan before, TimeSource time) {
        Map<String, Cluster> known = before == null ? Map.of() : before.clusters;
        BitSet taken = new BitSet();
        known.forEach(
                (name, cluster) -> taken.set(cluster.index, config.clusters().containsKey(name)));
        Map<String, Cluster> clusters = new LinkedHashMap<>();
        Map<Cluster, Cluster.Setup> setups = new LinkedHashMap<>();
        config.clusters().forEach((name, settings) -> {
            Cluster old = known.get(name);
            Cluster cluster = old == null ? new Cluster(settings, take(taken), time) : old;
            clusters.put(name, cluster);
            setups.put(cluster, cluster.setup(settings));
        });
        return new Plan(config, clusters, setups, before);
    }

    private static int take(BitSet taken) {
        int free = taken.nextClearBit(0);
        taken.set(free);
        return free;
    }

    /** The clusters by name, in the order of the configuration. */
    Map<String, Cluster> clusters() {
        return clusters;
    }

    /** What clients may do. */
    ClientsConfig clients() {
        return clients;
    }

    RouteTable routes() {
        return routes;
    }

    /** Has the clusters take their settings. */
    void configure() {
        setups.forEach(Cluster::change);
    }

    /**
     * The lanes of one event loop, by the numbers of their clusters: those that it has, where nothing is to be changed.
     *
     * @param before those that it has
     */
    @Nullable
    Lane[] lanes(@Nullable Lane[] before, Loop loop) {
        int size = setups.keySet().stream()
                        .mapToInt(cluster -> cluster.index)
                        .max()
                        .orElse(-1)
                + 1;
        @Nullable Lane[] lanes = new Lane[size];
        setups.forEach((cluster, setup) -> {
            Lane known = cluster.index < before.length ? before[cluster.index] : null;
            Lane own = known != null && known.cluster == cluster ? known : null;
            lanes[cluster.index] = own != null && own.setup.equals(setup) ? own : new Lane(cluster, setup, loop, own);
        });
        return lanes;
    }
}
