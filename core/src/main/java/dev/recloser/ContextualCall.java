package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * The work of a blocking call that looks at its {@link CallContext}, such as the number of the attempt or the time left.
 *
 * @param <R> what the work returns
 * @param <X> what it throws besides {@link InterruptedException}; inferred
 */
@FunctionalInterface
public interface ContextualCall<R extends @Nullable Object, X extends Throwable> {

    /**
     * Does the work once; called anew for each attempt.
     *
     * @param context what the work may know of the call around it; valid until this method returns
     */
    R call(CallContext context) throws X, InterruptedException;
}
