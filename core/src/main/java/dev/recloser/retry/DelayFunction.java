package dev.recloser.retry;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a failure how long the dependency asks to wait before the next attempt, as a {@code Retry-After} does.
 *
 * @param <R> what calls return
 */
@FunctionalInterface
public interface DelayFunction<R extends @Nullable Object> {

    /**
     * How long the failure asks to wait; empty if it does not. Called on the thread of the call, so it must not block. What it throws
     * is logged, and then counts as empty.
     *
     * @param value the value in which the attempt ended, if it did
     * @param error the exception in which the attempt ended, if it did
     */
    Optional<Duration> delayFor(@Nullable R value, @Nullable Throwable error);
}
