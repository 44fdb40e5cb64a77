package dev.recloser.circuitbreaker;

import dev.recloser.CallContext;
import dev.recloser.spi.Admittance;

/** The isolated state: rejects until somebody closes the circuit. */
final class Isolated extends State {

    Isolated(long now, Journal.Entry entry) {
        super(now, entry);
    }

    @Override
    CircuitState kind() {
        return CircuitState.ISOLATED;
    }

    @Override
    Admittance admit(Breaker breaker, CallContext context) {
        return breaker.rejectIsolated(context);
    }

    @Override
    Tally tally(long now) {
        return Tally.NONE;
    }
}
