package dev.recloser.gateway.metrics;

import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.gateway.proxy.Cluster;
import dev.recloser.gateway.proxy.Counters;
import dev.recloser.gateway.proxy.Ending;
import dev.recloser.gateway.proxy.StatusClass;
import dev.recloser.telemetry.Reading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;

/**
 * Reads the values of one cluster. All series of which it is known beforehand that they can be there are there from the start, with
 * zero, so that a rate sees the first increment; rare ways for a request to end come when they happen.
 */
final class ClusterSamples implements CircuitListener {

    private static final CircuitState[] STATES = CircuitState.values();

    private static final long[] SERVICE_TIMES = micros(
            1_000,
            2_500,
            5_000,
            10_000,
            25_000,
            50_000,
            100_000,
            250_000,
            500_000,
            1_000_000,
            2_500_000,
            5_000_000,
            10_000_000,
            25_000_000,
            50_000_000);

    private static final long[] OVERHEADS =
            micros(10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 1_000_000);

    private final Cluster cluster;
    private final AtomicLongArray transitions = new AtomicLongArray(STATES.length);

    /** Samples of a cluster, whose circuit they are to listen to. */
    ClusterSamples(Cluster cluster) {
        this.cluster = cluster;
    }

    private static final List<Ending> REJECTIONS = List.of(
            Ending.CIRCUIT_OPEN,
            Ending.CIRCUIT_ISOLATED,
            Ending.NO_DESTINATION,
            Ending.LIMIT,
            Ending.QUEUE_TIMEOUT,
            Ending.RATE_LIMIT);

    private static long[] micros(long... micros) {
        return LongStream.of(micros).map(TimeUnit.MICROSECONDS::toNanos).toArray();
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // an index that leaves this class nowhere
    public void transitioned(CircuitTransition transition) {
        transitions.incrementAndGet(transition.to().ordinal());
    }

    void addTo(Samples samples) {
        requests(samples);
        connections(samples);
        limits(samples);
        destinations(samples);
        circuit(samples);
    }

    private void requests(Samples samples) {
        String name = cluster.name();
        Counters counters = cluster.counters();
        for (Ending ending : Ending.values()) {
            for (StatusClass status : StatusClass.values()) {
                long count = counters.count(ending, status);
                if (count > 0 || CommonEndings.contains(ending, status)) {
                    samples.add(Metric.REQUESTS, count, name, status.label(), ending.reason());
                }
            }
        }
        samples.add(Metric.REQUESTS_IN_FLIGHT, counters.inFlight(), name);
        samples.add(Metric.SLOW_REQUESTS, counters.slow(), name);
        samples.add(Metric.BODY_BYTES, counters.requestBytes(), name, "request");
        samples.add(Metric.BODY_BYTES, counters.responseBytes(), name, "response");
        samples.add(Metric.SERVICE_TIME, cluster.serviceTimes(), SERVICE_TIMES, name);
        samples.add(Metric.OVERHEAD, cluster.overheads(), OVERHEADS, name);
        for (Ending rejection : REJECTIONS) {
            long count = counters.count(rejection);
            if (count > 0 || isToBeExpected(rejection)) {
                samples.add(Metric.REJECTIONS, count, name, rejection.reason());
            }
        }
    }

    private boolean isToBeExpected(Ending rejection) {
        return switch (rejection) {
            case RATE_LIMIT -> cluster.limiters().containsKey("rate");
            case LIMIT, QUEUE_TIMEOUT -> cluster.limiters().containsKey("concurrency");
            default -> true;
        };
    }

    private void limits(Samples samples) {
        String name = cluster.name();
        samples.add(Metric.RETRIES, cluster.counters().retries(), name);
        cluster.limiters().forEach((limiter, strategy) -> {
            for (Reading reading : Reading.of(strategy)) {
                samples.add(metric(reading.quantity()), reading.value().getAsDouble(), name, limiter);
            }
        });
    }

    private static Metric metric(Reading.Quantity quantity) {
        return switch (quantity) {
            case CIRCUIT_STATE -> Metric.CIRCUIT_STATE;
            case CIRCUIT_RATIO -> Metric.CIRCUIT_RATIO;
            case LIMITER_IN_FLIGHT -> Metric.LIMITER_IN_FLIGHT;
            case LIMITER_QUEUED -> Metric.LIMITER_QUEUED;
            case LIMITER_LIMIT -> Metric.LIMITER_LIMIT;
        };
    }

    private void connections(Samples samples) {
        String name = cluster.name();
        Counters counters = cluster.counters();
        samples.add(Metric.UPSTREAM_CONNECTIONS, counters.upstreamIdle(), name, "idle");
        samples.add(Metric.UPSTREAM_CONNECTIONS, counters.upstreamInUse(), name, "in_use");
        samples.add(Metric.UPSTREAM_CONNECTS, counters.upstreamConnected(), name, "connected");
        samples.add(Metric.UPSTREAM_CONNECTS, counters.upstreamConnectFailed(), name, "failed");
        samples.add(Metric.UPSTREAM_REUSES, counters.upstreamReused(), name);
        cluster.connectionsAwaited()
                .ifPresent(waiting -> samples.add(Metric.LIMITER_QUEUED, waiting, name, "connections"));
    }

    /** One that is configured twice is one series, healthy if both are. */
    private void destinations(Samples samples) {
        Map<String, Boolean> healthy = new LinkedHashMap<>();
        cluster.destinationSnapshots()
                .forEach(each -> healthy.merge(each.address(), !each.isLeftOut(), Boolean::logicalAnd));
        healthy.forEach(
                (address, well) -> samples.add(Metric.DESTINATION_HEALTHY, well ? 1 : 0, cluster.name(), address));
    }

    private void circuit(Samples samples) {
        String name = cluster.name();
        CircuitSnapshot circuit = cluster.breaker().snapshot();
        samples.add(Metric.CIRCUIT_STATE, Reading.number(circuit.state()), name);
        samples.add(Metric.CIRCUIT_RATIO, circuit.failureRatio(), name);
        samples.add(Metric.CIRCUIT_CALLS, circuit.calls(), name);
        samples.add(Metric.LATE_OUTCOMES, circuit.late(), name);
        samples.add(Metric.LOST_PROBES, circuit.lost(), name);
        for (int i = 0; i < STATES.length; i++) {
            samples.add(Metric.CIRCUIT_TRANSITIONS, transitions.get(i), name, label(STATES[i]));
        }
    }

    private static String label(CircuitState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
