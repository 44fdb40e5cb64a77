package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * The work of a blocking call.
 *
 * @param <R> what the work returns
 * @param <X> what it throws besides {@link InterruptedException}; inferred, {@link RuntimeException} when it throws nothing
 *     that is checked
 */
@FunctionalInterface
public interface Call<R extends @Nullable Object, X extends Throwable> extends ContextualCall<R, X> {

    /** Does the work once; called anew for each attempt. */
    R call() throws X, InterruptedException;

    @Override
    default R call(CallContext context) throws X, InterruptedException {
        return call();
    }
}
