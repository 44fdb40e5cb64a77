package dev.recloser;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The work of an asynchronous call: starts it, and returns the stage in which it will end. Throwing is the same as returning a
 * stage that failed.
 *
 * @param <R> what the work ends in
 */
@FunctionalInterface
public interface StageCall<R extends @Nullable Object> extends ContextualStageCall<R> {

    /** Starts the work once; called anew for each attempt. Must not block. */
    CompletionStage<R> call() throws Exception;

    @Override
    default CompletionStage<R> call(CallContext context) throws Exception {
        return call();
    }
}
