package dev.recloser.gateway.proxy;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.HealthCheckConfig;
import dev.recloser.spi.Strategy;
import dev.recloser.spi.Ticket;
import dev.recloser.time.TimeSource;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A service behind the gateway: its destinations, its breaker, and what was counted. Thread-safe. */
public final class Cluster {

    private final ClusterConfig config;
    private final Gate gate;
    private final Counters counters = new Counters();
    private final Latencies serviceTimes = new Latencies();
    private final Latencies overheads = new Latencies();
    private final Destinations destinations;
    private final TimeSource time;
    private volatile @Nullable HealthChecks checks;
    final int index;

    /**
     * A cluster.
     *
     * @param index a number that no other cluster of the gateway has, from 0
     */
    Cluster(ClusterConfig config, int index, TimeSource time) {
        this.config = config;
        this.index = index;
        this.time = time;
        this.gate = new Gate(config, CircuitBreaker.of(config.name(), settings(), time), time);
        this.destinations = new Destinations(config, time);
    }

    /** The settings of the breaker, with what probes it if requests do not. */
    private CircuitBreakerOptions<Object> settings() {
        boolean byChecks = config.balancing()
                .healthCheck()
                .map(HealthCheckConfig::probesCircuit)
                .orElse(false);
        return byChecks
                ? config.circuitBreaker().toBuilder()
                        .healthCheck(this::isAnyHealthy)
                        .build()
                : config.circuitBreaker();
    }

    // ---- checks

    /**
     * Begins to check the destinations, if that is configured.
     *
     * @param loop gives an event loop that the checks may use
     */
    void startChecks(Supplier<EventLoop> loop, Transport transport) {
        config.balancing().healthCheck().ifPresent(settings -> {
            Runnable afterEach = settings.probesCircuit() ? this::probeIfDue : () -> {};
            HealthChecks started = new HealthChecks(settings, destinations, loop.get(), transport, time, afterEach);
            checks = started;
            started.start();
        });
    }

    /** Ends the checks, and with them all that a cluster does by itself. */
    void close() {
        HealthChecks running = checks;
        if (running != null) {
            running.close();
        }
    }

    private boolean isAnyHealthy() throws Exception {
        HealthChecks running = checks;
        return running != null && running.isAnyHealthy();
    }

    /** The breaker starts its probe when it is asked for a ticket after the break: nobody needs to send a request for that. */
    private void probeIfDue() {
        CircuitSnapshot circuit = gate.breaker.snapshot();
        boolean isBreakOver = circuit.nextProbe().map(Duration::isZero).orElse(false);
        boolean isIdle = circuit.state() == CircuitState.HALF_OPEN && circuit.runningProbes() == 0;
        if ((isBreakOver || isIdle) && gate.breaker.acquire() instanceof Ticket unneeded) {
            unneeded.unused();
        }
    }

    // ---- what others see

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

    /** How its destinations are now, in the order of the configuration. */
    public List<DestinationSnapshot> destinationSnapshots() {
        long now = time.nanoTime();
        return destinations.all().stream().map(each -> each.snapshot(now)).toList();
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

    Destinations destinations() {
        return destinations;
    }
}
