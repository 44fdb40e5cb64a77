package dev.recloser;

/** Somebody isolated the circuit by hand: the dependency is not called until it is closed by hand. */
public final class CircuitIsolatedException extends RejectedException {

    private static final long serialVersionUID = 1;

    /**
     * Made by circuit breakers.
     *
     * @param pipeline the name of the pipeline
     * @param strategy the name of the breaker
     */
    public CircuitIsolatedException(String pipeline, String strategy) {
        super(pipeline, strategy, UNKNOWN, null);
    }

    @Override
    String reason() {
        return "the circuit is isolated";
    }
}
