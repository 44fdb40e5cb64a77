package dev.recloser.chaos;

import dev.recloser.OutcomeClass;
import dev.recloser.spi.Reservation;
import org.jspecify.annotations.Nullable;

/** The ticket of all calls that one strategy delays. */
final class Latency extends Reservation {

    private final long waitNanos;

    Latency(long waitNanos) {
        this.waitNanos = waitNanos;
    }

    @Override
    public long waitNanos() {
        return waitNanos;
    }

    @Override
    public boolean isPartOfCall() {
        return true;
    }

    @Override
    public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
        // Nothing is remembered of a call.
    }

    @Override
    public void unused() {
        // As above.
    }
}
