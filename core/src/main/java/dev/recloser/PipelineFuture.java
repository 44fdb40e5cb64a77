package dev.recloser;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Pipeline#callAsync} returns. Whoever ends it from outside, by cancelling it or in any other way such as
 * {@code orTimeout}, thereby cancels the call.
 *
 * @param <R> what the call returns
 */
final class PipelineFuture<R extends @Nullable Object> extends CompletableFuture<R> {

    private final StageExecution execution;
    private final Executor executor;

    PipelineFuture(StageExecution execution, Executor executor) {
        this.execution = execution;
        this.executor = executor;
    }

    /** The engine's, so that nothing of a pipeline's runs on the common pool. */
    @Override
    public Executor defaultExecutor() {
        return executor;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new Dependent<>(executor);
    }

    /** What depends on the future of a pipeline, directly or not. */
    private static final class Dependent<U> extends CompletableFuture<U> {

        private final Executor executor;

        Dependent(Executor executor) {
            this.executor = executor;
        }

        @Override
        public Executor defaultExecutor() {
            return executor;
        }

        @Override
        public <V> CompletableFuture<V> newIncompleteFuture() {
            return new Dependent<>(executor);
        }
    }

    @SuppressWarnings("unchecked") // the drivers pass on what the work returned, or what stands in its place
    void end(@Nullable Object result) {
        if (result instanceof Failure failure) {
            super.completeExceptionally(failure.error());
        } else {
            super.complete((R) result);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return cancelCallIf(super.cancel(mayInterruptIfRunning));
    }

    @Override
    public boolean complete(R value) {
        return cancelCallIf(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable error) {
        return cancelCallIf(super.completeExceptionally(error));
    }

    private boolean cancelCallIf(boolean endedFromOutside) {
        if (endedFromOutside) {
            execution.cancel();
        }
        return endedFromOutside;
    }
}
