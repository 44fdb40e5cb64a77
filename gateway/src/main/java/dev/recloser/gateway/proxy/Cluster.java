package dev.recloser.gateway.proxy;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.spi.Strategy;
import dev.recloser.time.TimeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A service behind the gateway: its destinations, its breaker, and what was counted. Thread-safe. */
public final class Cluster {

    private final ClusterConfig config;
    private final Gate gate;
    private final Counters counters = new Counters();
    private final Latencies serviceTimes = new Latencies();
    private final Latencies overheads = new Latencies();
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
        this.gate = new Gate(config, CircuitBreaker.of(config.name(), config.circuitBreaker(), time), time);
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
        return gate.breaker;
    }

    /** Its limiters: {@code rate} and {@code concurrency}, where there are such. */
    public Map<String, Strategy> limiters() {
        Map<String, Strategy> limiters = new LinkedHashMap<>();
        if (gate.rateLimiter != null) {
            limiters.put("rate", gate.rateLimiter);
        }
        if (gate.limiter != null) {
            limiters.put("concurrency", gate.limiter);
        }
        return limiters;
    }

    Gate gate() {
        return gate;
    }

    /** How its requests ended, and how many are under way. */
    public Counters counters() {
        return counters;
    }

    /**
     * How long the service took: from when a request had gone out to when the head of its answer came, or the timeout was over. Requests
     * that were answered before they had gone out, or got no answer for another reason, are not among them.
     */
    public LatencySnapshot serviceTimes() {
        return serviceTimes.snapshot();
    }

    /**
     * How long the gateway itself took, for the requests that the service has answered: from the head of the request to its being handed
     * to a connection, without the making of that connection; and from the head of the answer to its being written to the client.
     */
    public LatencySnapshot overheads() {
        return overheads.snapshot();
    }

    Latencies serviceTimesOfLoops() {
        return serviceTimes;
    }

    Latencies overheadsOfLoops() {
        return overheads;
    }

    List<Destination> destinations() {
        return destinations;
    }
}
