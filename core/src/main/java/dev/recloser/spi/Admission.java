package dev.recloser.spi;

import dev.recloser.CallContext;

/** Decides whether a call may begin: a circuit breaker, a limiter. */
public non-sealed interface Admission extends Strategy {

    /**
     * Asks for admittance. Never blocks and never throws.
     *
     * @param context the call that asks
     * @return a ticket, which the asker must end exactly once; a place in a queue, at the end of which there is a ticket; or the
     *     rejection, whose {@code pipeline} is that of the context
     */
    Admittance acquire(CallContext context);
}
