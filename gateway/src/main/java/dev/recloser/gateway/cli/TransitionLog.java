package dev.recloser.gateway.cli;

import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.telemetry.TransitionText;
import java.lang.System.Logger.Level;

/** Logs each transition of a circuit once, with the numbers that led to it. */
final class TransitionLog implements CircuitListener {

    private static final System.Logger LOG = System.getLogger("dev.recloser.gateway.circuits");

    TransitionLog() {}

    @Override
    public void transitioned(CircuitTransition transition) {
        LOG.log(
                transition.to() == CircuitState.OPEN ? Level.WARNING : Level.INFO,
                () -> "circuit " + transition.circuit() + " " + TransitionText.describe(transition)
                        + transition
                                .cause()
                                .map(cause -> "; last failure: " + cause.getMessage())
                                .orElse(""));
    }
}
