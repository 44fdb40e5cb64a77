package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.proxy.Ending.Verdict;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The last minute of a cluster, cut into slices. Used by one thread only. */
final class ClusterHistory {

    /** So many slices are kept, one for each tick. */
    static final int SLICES = 60;

    /**
     * A cluster as a page shows it, but for the slices.
     *
     * @param look its circuit
     * @param inFlight how many requests are under way
     * @param now the service times of the last few seconds
     * @param minute the service times of the last minute
     * @param failures how many requests of the last minute failed, by reason
     */
    record Live(Observed.Look look, long inFlight, Latency now, Latency minute, Map<String, Long> failures) {

        /** Whether the other one shows the same, apart from what follows from the time alone. */
        boolean looksLike(Live other) {
            return timeless(look.snapshot()).equals(timeless(other.look.snapshot()))
                    && look.since().equals(other.look.since())
                    && inFlight == other.inFlight
                    && now.equals(other.now)
                    && minute.equals(other.minute)
                    && failures.equals(other.failures);
        }

        /** Whether time alone changes what is shown: a page that was told late would count down to the wrong moment. */
        boolean isTimed() {
            return look.snapshot().state() != CircuitState.CLOSED;
        }

        private static List<Object> timeless(CircuitSnapshot snapshot) {
            return List.of(
                    snapshot.state(),
                    snapshot.calls(),
                    snapshot.failures(),
                    snapshot.runningProbes(),
                    snapshot.reopenings());
        }
    }

    private final Observed observed;
    private final ArrayDeque<Slice> slices = new ArrayDeque<>(SLICES);
    private final LatencyWindow latencies;
    private Totals totals;
    private Live live;
    private boolean changed;
    private boolean shownBetween;

    ClusterHistory(Observed observed) {
        this.observed = observed;
        this.totals = observed.circuit().totals();
        this.latencies = new LatencyWindow(observed.circuit().serviceTimes().get());
        this.live = look();
    }

    /** Whether it is the history of this circuit. */
    boolean isOf(Observed circuit) {
        return observed == circuit;
    }

    Circuit circuit() {
        return observed.circuit();
    }

    /** Adds a slice with what has happened in the time since the last one. */
    void tick(long nanos) {
        Circuit circuit = observed.circuit();
        Totals current = circuit.totals();
        latencies.tick(circuit.serviceTimes().get());
        Slice slice = slice(nanos, current.since(totals));
        totals = current;
        if (slices.size() == SLICES) {
            slices.removeFirst();
        }
        slices.addLast(slice);
        Live before = live;
        live = look();
        changed = shownBetween || !slice.isEmpty() || !live.looksLike(before) || live.isTimed();
        shownBetween = false;
    }

    private Slice slice(long nanos, Totals.Added added) {
        return new Slice(
                nanos,
                added.of(Verdict.SUCCESS) - added.slow(),
                added.slow(),
                added.of(Verdict.FAILURE),
                added.of(Verdict.IGNORED),
                added.of(Verdict.NOT_COUNTED),
                added.failures(),
                observed.breaker().state());
    }

    private Live look() {
        return new Live(
                observed.look(),
                observed.circuit().inFlight().getAsLong(),
                latencies.now(),
                latencies.minute(),
                failures());
    }

    private Map<String, Long> failures() {
        Map<String, Long> sums = new TreeMap<>();
        slices.forEach(slice -> slice.failures().forEach((reason, count) -> sums.merge(reason, count, Long::sum)));
        return sums;
    }

    /** The cluster as it was at the last tick. */
    Live live() {
        return live;
    }

    /** The cluster as it is at this moment, between two ticks; the next tick counts as a change then. */
    Live liveNow() {
        shownBetween = true;
        return look();
    }

    /** Whether a page must be told of the last tick. */
    boolean hasChanged() {
        return changed;
    }

    /** The slice that the last tick has ended. */
    Slice lastSlice() {
        return slices.getLast();
    }

    /** Oldest first. */
    Collection<Slice> slices() {
        return Collections.unmodifiableCollection(slices);
    }
}
