package dev.recloser;

import org.jspecify.annotations.Nullable;

/** As many calls as the concurrency limiter permits are running, and there was no place, or not enough time, to wait for one to end. */
public final class LimitReachedException extends RejectedException {

    private static final long serialVersionUID = 1;

    /**
     * Made by strategies.
     *
     * @param pipeline the name of the pipeline
     * @param strategy the name of the strategy
     * @param retryAfterNanos when another try makes sense, in nanoseconds from now; {@link #UNKNOWN} if not known
     * @param cause the failure that led to it, if there was one
     */
    public LimitReachedException(String pipeline, String strategy, long retryAfterNanos, @Nullable Throwable cause) {
        super(pipeline, strategy, Math.max(UNKNOWN, retryAfterNanos), cause);
    }

    @Override
    String reason() {
        return "the limit of concurrent calls is reached";
    }
}
