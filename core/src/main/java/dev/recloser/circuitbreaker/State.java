package dev.recloser.circuitbreaker;

import dev.recloser.CallContext;
import dev.recloser.spi.Admittance;
import org.jspecify.annotations.Nullable;

/**
 * A state of a circuit, with all that belongs to it. Each is a value: a transition is one compare-and-set from the state that was
 * looked at to another, and losing it means that somebody else was first.
 */
abstract sealed class State permits Closed, Open, HalfOpen, Isolated {

    /** When the circuit came into this state. */
    final long since;

    /**
     * The transition that led here, to which the next one is linked. Null once that has happened: a call that hangs holds the state
     * that admitted it, and must not hold all that came after.
     */
    private volatile Journal.@Nullable Entry entry;

    State(long since, Journal.@Nullable Entry entry) {
        this.since = since;
        this.entry = entry;
    }

    Journal.@Nullable Entry entry() {
        return entry;
    }

    void forgetEntry() {
        entry = null;
    }

    abstract CircuitState kind();

    /**
     * Admits or rejects a call.
     *
     * @return null when the circuit has left this state meanwhile: ask the one that it is in now
     */
    abstract @Nullable Admittance admit(Breaker breaker, CallContext context);

    /** What was counted, and led to the opening where the circuit is open. */
    abstract Tally tally(long now);

    /** The calls that were timed and, as failures, those that were slow. */
    Tally slowTally(long now) {
        return Tally.NONE;
    }

    /** Openings in a row without a closing in between, the first not counted. */
    int reopenings() {
        return 0;
    }
}
