package dev.recloser;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The work of an asynchronous call that looks at its {@link CallContext}.
 *
 * @param <R> what the work ends in
 */
@FunctionalInterface
public interface ContextualStageCall<R extends @Nullable Object> {

    /**
     * Starts the work once; called anew for each attempt. Must not block.
     *
     * @param context what the work may know of the call around it; valid until the returned stage has ended
     */
    CompletionStage<R> call(CallContext context) throws Exception;
}
