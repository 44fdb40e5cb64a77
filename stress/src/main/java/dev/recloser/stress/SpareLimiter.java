package dev.recloser.stress;

import dev.recloser.CallContext;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Ticket;

/** A limiter with so many permits that it keeps spare ones, and what races do with it. */
final class SpareLimiter {

    static final int PERMITS = 16;

    private static final CallContext CONTEXT = CallContext.named("raced");

    private final ConcurrencyLimiter limiter;

    /** The ticket of every call is the same object: what counts is how often it is settled. */
    private final Ticket ticket;

    /** So many permits are taken, and one more has been and was given back, so that this thread keeps it spare. */
    SpareLimiter(int taken, int queue) {
        limiter = ConcurrencyLimiter.of(
                "raced", settings -> settings.maxConcurrent(PERMITS).queue(queue));
        ticket = (Ticket) acquire();
        for (int permit = 0; permit < taken; permit++) {
            acquire();
        }
        release();
    }

    Admittance acquire() {
        return limiter.acquire(CONTEXT);
    }

    void release() {
        Limiters.end(ticket);
    }

    /** How many permits the next calls find. */
    int free() {
        int found = 0;
        while (acquire() instanceof Ticket) {
            found++;
        }
        return found;
    }
}
