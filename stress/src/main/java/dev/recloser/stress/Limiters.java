package dev.recloser.stress;

import dev.recloser.CallContext;
import dev.recloser.OutcomeClass;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;

/** A limiter with one permit and a queue of one, and what races do with it. */
final class Limiters {

    private static final CallContext CONTEXT = CallContext.named("raced");

    final ConcurrencyLimiter limiter =
            ConcurrencyLimiter.of("raced", settings -> settings.maxConcurrent(1).queue(1));

    Admittance acquire() {
        return limiter.acquire(CONTEXT);
    }

    Ticket ticket() {
        return (Ticket) acquire();
    }

    Place place() {
        return (Place) acquire();
    }

    static void end(Ticket ticket) {
        ticket.settle(OutcomeClass.SUCCESS, null, null);
    }

    /** Whether the permit is there for the next call, once. */
    boolean isFree() {
        return acquire() instanceof Ticket && acquire() instanceof Place;
    }
}
