package dev.recloser;

import dev.recloser.spi.Admittance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that a strategy did not let through, or cut. Says which strategy of which pipeline it was and, where that is known, when
 * another try makes sense.
 *
 * <p>A rejection is an answer, not an accident: it has no stack trace and takes no suppressed exceptions, so that making one
 * costs no more than a small object. {@link #getCause()} is the failure that led to it, where there was one; the failures of earlier attempts
 * of the same call stand in {@link #earlierFailures()}.
 */
public abstract sealed class RejectedException extends RuntimeException implements Admittance
        permits CircuitOpenException,
                CircuitIsolatedException,
                LimitReachedException,
                RateExceededException,
                TimedOutException {

    private static final long serialVersionUID = 1;

    /** For {@code retryAfterNanos}: it is not known when another try makes sense. */
    public static final long UNKNOWN = -1;

    private static final int ALMOST_ONE_MILLISECOND = 999_999;

    /** Of more earlier failures than these the earliest are forgotten. */
    static final int REMEMBERED = 10;

    private final String pipeline;
    private final String strategy;
    private final long retryAfterNanos;

    /** Serialized with the rejection, as its cause is. Set before anybody else sees it. */
    @SuppressWarnings("serial") // it is List.of or List.copyOf, and what is in it can be written as any exception can
    private List<Throwable> earlierFailures = List.of();

    RejectedException(String pipeline, String strategy, long retryAfterNanos, @Nullable Throwable cause) {
        super(null, cause, false, false);
        this.pipeline = pipeline;
        this.strategy = strategy;
        this.retryAfterNanos = retryAfterNanos;
    }

    /** The name of the pipeline in which the call was rejected. */
    public final String pipeline() {
        return pipeline;
    }

    /** The name of the strategy that rejected it. */
    public final String strategy() {
        return strategy;
    }

    /** How long to wait before another try can succeed; never negative, and empty where that is not known. */
    public final Optional<Duration> retryAfter() {
        return retryAfterNanos == UNKNOWN ? Optional.empty() : Optional.of(Duration.ofNanos(retryAfterNanos));
    }

    /** What attempts of the same call failed with before this rejection ended it, the first first; at most the last ten. */
    public final List<Throwable> earlierFailures() {
        return earlierFailures;
    }

    /** Adds failures that came before those that are known. */
    final void remember(List<Throwable> failures) {
        List<Throwable> all = new ArrayList<>(failures);
        all.addAll(earlierFailures);
        earlierFailures = List.copyOf(all.subList(Math.max(0, all.size() - REMEMBERED), all.size()));
    }

    /** What happened, without the names. */
    abstract String reason();

    @Override
    public final String getMessage() {
        StringBuilder message = new StringBuilder(pipeline);
        if (!strategy.equals(pipeline)) {
            message.append(": ").append(strategy);
        }
        message.append(": ").append(reason());
        retryAfter()
                .ifPresent(wait -> message.append("; retry after ")
                        .append(wait.plusNanos(ALMOST_ONE_MILLISECOND).toMillis())
                        .append(" ms"));
        return message.toString();
    }
}
