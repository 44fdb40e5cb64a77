package dev.recloser.fallback;

import org.jspecify.annotations.Nullable;

/**
 * Makes what takes the place of a failure.
 *
 * @param <R> what calls return
 * @param <T> what it makes: a value, or an exception
 */
@FunctionalInterface
public interface FallbackFunction<R extends @Nullable Object, T extends @Nullable Object> {

    /**
     * What takes the place of a failure. Called on the thread of the call; that of a stage must not be blocked. What it throws takes
     * the place of the failure too; if it throws the very exception that it was shown, the failure stands.
     *
     * @param value the value in which the call ended, if it did
     * @param error the exception in which the call ended, if it did
     * @throws Exception any exception, for the caller
     */
    T insteadOf(@Nullable R value, @Nullable Throwable error) throws Exception;
}
