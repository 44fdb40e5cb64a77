package dev.recloser.circuitbreaker;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the outcome that opens a circuit how long the dependency asks to be left alone, as a {@code Retry-After} does.
 *
 * @param <R> what calls return
 */
@FunctionalInterface
public interface BreakFunction<R extends @Nullable Object> {

    /**
     * How long the outcome asks the circuit to stay open. Called on the thread of the call, before the circuit opens, also
     * for an outcome that then does not open it because another one was first. What it throws is logged, and then counts as empty.
     *
     * @param value the value in which the call ended, if it did
     * @param error the exception in which it ended, if it did
     */
    Optional<Duration> breakFor(@Nullable R value, @Nullable Throwable error);
}
