package dev.recloser.circuitbreaker;

import dev.recloser.OutcomeClass;
import dev.recloser.spi.Ticket;
import org.jspecify.annotations.Nullable;

/** The ticket of a call that a breaker which only observes would have rejected: how it ends is not counted. */
enum Observed implements Ticket {
    TICKET;

    @Override
    public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
        // The circuit is not closed: it would never have seen this call.
    }

    @Override
    public void unused() {
        // As above.
    }
}
