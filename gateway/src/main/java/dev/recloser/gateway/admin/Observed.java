package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.time.TimeSource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A circuit that is looked at again and again. A snapshot says how long the circuit has been in its state, and when that began can
 * only be reckoned back from now, a little differently each time. So the moment that was shown first is shown as long as the state
 * may be the same: as long as what the two looks leave possible overlaps. Used by one thread only.
 */
final class Observed {

    /**
     * What one look has shown.
     *
     * @param circuit what was looked at
     * @param snapshot how it was
     * @param since when its state began
     */
    record Look(Circuit circuit, CircuitSnapshot snapshot, Instant since) {}

    private Circuit circuit;
    private final TimeSource time;
    private @Nullable CircuitState state;
    private Instant since = Instant.EPOCH;
    private long earliest;
    private long latest;

    Observed(Circuit circuit, TimeSource time) {
        this.circuit = circuit;
        this.time = time;
    }

    Circuit circuit() {
        return circuit;
    }

    /** The settings of the cluster are others. */
    void change(Circuit changed) {
        circuit = changed;
    }

    CircuitBreaker breaker() {
        return circuit.breaker();
    }

    Look look() {
        long before = time.nanoTime();
        CircuitSnapshot snapshot = circuit.breaker().snapshot();
        long after = time.nanoTime();
        long inState = snapshot.timeInState().toNanos();
        boolean same = state == snapshot.state() && before - inState - latest <= 0 && after - inState - earliest >= 0;
        if (!same) {
            state = snapshot.state();
            since = time.instant().minus(snapshot.timeInState());
            earliest = before - inState;
            latest = after - inState;
        }
        return new Look(circuit, snapshot, since);
    }
}
