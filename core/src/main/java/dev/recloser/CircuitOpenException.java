package dev.recloser;

import org.jspecify.annotations.Nullable;

/** The circuit is open, or half-open with its probes running, or has just closed and lets only a share of the calls in: the
 * dependency was not called. The cause is the failure that opened it, if that was an exception. */
public final class CircuitOpenException extends RejectedException {

    private static final long serialVersionUID = 1;

    /**
     * Made by strategies.
     *
     * @param pipeline the name of the pipeline
     * @param strategy the name of the strategy
     * @param retryAfterNanos when another try makes sense, in nanoseconds from now; negative if not known
     * @param cause the failure that led to it, if there was one
     */
    public CircuitOpenException(String pipeline, String strategy, long retryAfterNanos, @Nullable Throwable cause) {
        super(pipeline, strategy, Math.max(UNKNOWN, retryAfterNanos), cause);
    }

    @Override
    String reason() {
        return "the circuit is open";
    }
}
