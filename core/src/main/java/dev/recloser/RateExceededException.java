package dev.recloser;

import org.jspecify.annotations.Nullable;

/** The rate limiter has no permit left, and waiting for one would take too long. */
public final class RateExceededException extends RejectedException {

    private static final long serialVersionUID = 1;

    /**
     * Made by strategies.
     *
     * @param pipeline the name of the pipeline
     * @param strategy the name of the strategy
     * @param retryAfterNanos when another try makes sense, in nanoseconds from now; {@link #UNKNOWN} if not known
     * @param cause the failure that led to it, if there was one
     */
    public RateExceededException(String pipeline, String strategy, long retryAfterNanos, @Nullable Throwable cause) {
        super(pipeline, strategy, Math.max(UNKNOWN, retryAfterNanos), cause);
    }

    @Override
    String reason() {
        return "the permitted rate is exceeded";
    }
}
