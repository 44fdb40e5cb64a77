package dev.recloser;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a call on its way through a pipeline and that its caller does not see, or sees only the end of.
 *
 * @param pipeline the name of the pipeline
 * @param strategy the name of the strategy because of which it happened
 * @param kind what happened
 * @param attempt the number of the attempt to which it happened: 1 for the first
 * @param hedge which of the attempts beside each other it happened to: 0 for the first or only one
 * @param value the value that the attempt ended in, if it did
 * @param error the exception that the attempt ended in, or the rejection; null if there is none
 * @param delay how long the wait is that begins, or that does not because it is too long; zero where there is none
 */
public record PipelineEvent(
        String pipeline,
        String strategy,
        Kind kind,
        int attempt,
        int hedge,
        @Nullable Object value,
        @Nullable Throwable error,
        Duration delay) {

    /** What can happen. */
    public enum Kind {
        /** An attempt failed and another one follows, after the delay. */
        RETRY,
        /** An attempt failed and was the last of those that are allowed. */
        RETRIES_EXHAUSTED,
        /** An attempt failed and is not followed by another because the budget is spent. */
        RETRY_OVER_BUDGET,
        /** An attempt failed and is not followed by another because the wait would be too long, for the deadline or for the settings. */
        RETRY_TOO_LATE,
        /** An attempt failed, and before the next one the call was interrupted, cancelled or cut. */
        RETRY_INTERRUPTED,
        /** Another attempt began beside those that are running. */
        HEDGE,
        /** No other attempt began beside those that are running because the budget is spent. */
        HEDGE_OVER_BUDGET,
        /** An attempt failed that others run beside, or follow at once. */
        HEDGE_FAILED,
        /** Something else took the place of a failure. */
        FALLBACK,
        /** An outcome was put in the place of an attempt, which did not take place. */
        SUBSTITUTED,
        /** A call waits before it begins; the delay says for how long. */
        DELAYED,
        /** A call was rejected before it began. */
        REJECTED,
        /** A timeout cut the call. */
        TIMED_OUT,
        /** A timeout freed the caller while the work, though it was told to end, was still running. */
        ABANDONED
    }

    /** The exception, if there is one. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(error);
    }
}
