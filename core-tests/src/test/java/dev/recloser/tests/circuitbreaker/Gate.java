package dev.recloser.tests.circuitbreaker;

import dev.recloser.CallContext;
import dev.recloser.LimitReachedException;
import dev.recloser.OutcomeClass;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Ticket;

/** An admission that is open or shut. */
final class Gate implements Admission {

    private static final Ticket TICKET = new Ticket() {
        @Override
        public void settle(OutcomeClass outcome, Object value, Throwable error) {}

        @Override
        public void unused() {}
    };

    volatile boolean shut;

    @Override
    public String name() {
        return "gate";
    }

    @Override
    public Admittance acquire(CallContext context) {
        return shut ? new LimitReachedException(context.pipeline(), name(), -1, null) : TICKET;
    }
}
