package dev.recloser.chaos;

import dev.recloser.OutcomeClass;
import dev.recloser.spi.Ticket;
import org.jspecify.annotations.Nullable;

/** The ticket of all calls to which nothing is done. */
final class Untouched implements Ticket {

    static final Untouched TICKET = new Untouched();

    private Untouched() {}

    @Override
    public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
        // Nothing is remembered of a call.
    }

    @Override
    public void unused() {
        // As above.
    }
}
