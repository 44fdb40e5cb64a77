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
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A service behind the gateway: its breaker, and what was counted. It lives on by its name when the gateway takes other settings for it.
 * Thread-safe.
 */
public final class Cluster {

    /**
     * What can be changed. Each event loop takes it over for itself, with all else of its {@link Plan}.
     *
     * @param config what was configured
     * @param gate what a request must pass
     * @param destinations where to connect
     */
    record Setup(ClusterConfig config, Gate gate, Destinations destinations) {

        /**
         * The setup for a configuration. What is configured as before is taken over with its state.
         *
         * @param before the setup so far, if there is one
         */
        static Setup of(ClusterConfig config, CircuitBreaker breaker, @Nullable Setup before, TimeSource time) {
            Destinations known = before != null
                            && before.config.destinations().equals(config.destinations())
                            && before.config.balancing().equals(config.balancing())
                            && before.config.upstream().equals(config.upstream())
                    ? before.destinations
                    : null;
            return new Setup(
                    config,
                    new Gate(config, breaker, before == null ? null : before.gate, time),
                    known == null ? new Destinations(config, time) : known);
        }
    }

    private final CircuitBreaker breaker;
    private final Counters counters = new Counters();
    private final Latencies serviceTimes = new Latencies();
    private final Latencies overheads = new Latencies();
    private final ConnectionLimit connections = new ConnectionLimit();
    private final TimeSource time;
    private volatile Setup setup;
    private @Nullable Destinations checked;
    private volatile @Nullable HealthChecks checks;
    final int index;

    /**
     * A cluster.
     *
     * @param index a number that no other cluster of the same plan has, from 0
     */
    Cluster(ClusterConfig config, int index, TimeSource time) {
        this.index = index;
        this.time = time;
        this.breaker = CircuitBreaker.of(config.name(), settings(config), time);
        this.setup = Setup.of(config, breaker, null, time);
        this.connections.change(config.limits().connections());
    }

    /** The settings of the breaker, with what probes it if requests do not. */
    private CircuitBreakerOptions<Object> settings(ClusterConfig config) {
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
     * Checks the destinations as is configured now, if it is. To be called by one thread at a time.
     *
     * @param loop gives an event loop that the checks may use
     */
    void check(Supplier<EventLoop> loop, Transport transport) {
        Setup now = setup;
        if (now.destinations == checked) {
            return;
        }
        HealthChecks before = checks;
        checked = now.destinations;
        checks = now.config
                .balancing()
                .healthCheck()
                .map(settings -> checks(settings, now.destinations, loop.get(), transport))
                .orElse(null);
        if (before != null) {
            before.close();
        }
    }

    private HealthChecks checks(
            HealthCheckConfig settings, Destinations destinations, EventLoop loop, Transport transport) {
        Runnable afterEach = settings.probesCircuit() ? this::probeIfDue : () -> {};
        HealthChecks started = new HealthChecks(settings, destinations, loop, transport, time, afterEach);
        started.start();
        return started;
    }

    /** Ends the checks, and with them all that a cluster does by itself. */
    void close() {
        HealthChecks running = checks;
        checks = null;
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
        CircuitSnapshot circuit = breaker.snapshot();
        boolean isBreakOver = circuit.nextProbe().map(Duration::isZero).orElse(false);
        boolean isIdle = circuit.state() == CircuitState.HALF_OPEN && circuit.runningProbes() == 0;
        if ((isBreakOver || isIdle) && breaker.acquire() instanceof Ticket unneeded) {
            unneeded.unused();
        }
    }

    // ---- what others see

    /** The name. */
    public String name() {
        return breaker.name();
    }

    /** What is configured now. */
    public ClusterConfig config() {
        return setup.config;
    }

    /** The setup for a configuration: the one that there is, if nothing is to be changed. */
    Setup setup(ClusterConfig next) {
        Setup now = setup;
        return now.config.equals(next) ? now : Setup.of(next, breaker, now, time);
    }

    /** Takes other settings. The breaker keeps its state, and what it has counted. */
    void change(Setup next) {
        if (!next.equals(setup)) {
            breaker.changeSettings(settings(next.config));
            setup = next;
            connections.change(next.config.limits().connections());
        }
    }

    /** The breaker in front of it. */
    public CircuitBreaker breaker() {
        return breaker;
    }

    /** Its limiters: {@code rate} and {@code concurrency}, where there are such. */
    public Map<String, Strategy> limiters() {
        Gate gate = gate();
        Map<String, Strategy> limiters = new LinkedHashMap<>();
        if (gate.rateLimiter != null) {
            limiters.put("rate", gate.rateLimiter);
        }
        if (gate.limiter != null) {
            limiters.put("concurrency", gate.limiter);
        }
        return limiters;
    }

    /** How many requests wait for a connection; empty where there may be any number of connections. */
    public OptionalInt connectionsAwaited() {
        return config().limits().connections().isPresent()
                ? OptionalInt.of(connections.waiting())
                : OptionalInt.empty();
    }

    /** How many connections there may be, and who waits for one. */
    ConnectionLimit connections() {
        return connections;
    }

    Destinations destinations() {
        return setup.destinations;
    }

    Gate gate() {
        return setup.gate;
    }

    /** How its destinations are now, in the order of the configuration. */
    public List<DestinationSnapshot> destinationSnapshots() {
        long now = time.nanoTime();
        return setup.destinations.all().stream().map(each -> each.snapshot(now)).toList();
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
}
