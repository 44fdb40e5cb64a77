package dev.recloser;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
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

    /** Set before the call is cancelled. */
    private volatile boolean isBeingCancelled;

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
        if (isBeingCancelled) {
            // The outcome may have been ignored because of that, so it must not be the caller's either.
            super.cancel(false);
        } else if (result instanceof Failure failure) {
            super.completeExceptionally(failure.error());
        } else {
            super.complete((R) result);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return isCancelled();
        }
        // The call first: so permits are back when those who wait for this future go on.
        isBeingCancelled = true;
        execution.cancel();
        super.cancel(mayInterruptIfRunning);
        return isCancelled();
    }

    @Override
    public boolean complete(R value) {
        return cancelCallIf(super.complete(value));
    }

    @Override
    public CompletableFuture<R> completeAsync(Supplier<? extends R> supplier, Executor on) {
        on.execute(() -> {
            try {
                complete(supplier.get());
            } catch (Throwable error) {
                completeExceptionally(error);
            }
        });
        return this;
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
