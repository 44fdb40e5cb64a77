package dev.recloser.gateway.proxy;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.time.TimeSource;
import java.util.List;

/** A service behind the gateway: its destinations, its breaker, and what was counted. Thread-safe. */
public final class Cluster {

    private final ClusterConfig config;
    private final CircuitBreaker breaker;
    private final Counters counters = new Counters();
    private final List<Destination> destinations;
    final int index;

    /**
     * A cluster.
     *
     * @param index a number that no other cluster of the gateway has, from 0
     */
    Cluster(ClusterConfig config, int index, TimeSource time) {
        this.config = config;
        this.index = index;
        this.breaker = CircuitBreaker.of(config.name(), config.circuitBreaker(), time);
        this.destinations = config.destinations().stream().map(Destination::new).toList();
    }

    /** The name. */
    public String name() {
        return config.name();
    }

    /** What was configured. */
    public ClusterConfig config() {
        return config;
    }

    /** The breaker in front of it. */
    public CircuitBreaker breaker() {
        return breaker;
    }

    /** How its requests ended, and how many are under way. */
    public Counters counters() {
        return counters;
    }

    List<Destination> destinations() {
        return destinations;
    }
}
