package dev.recloser;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One attempt over a stage, and what its work sees of the call: ends when the stage ends, or when it is cut, whichever is first. Work
 * that goes on after having been cut sees that it was, whatever has become of the call since.
 */
final class StageAttempt implements StageExecution.Leaf, CallContext {

    private enum State {
        RUNNING,
        ENDED,
        CUT
    }

    private final StageExecution execution;
    private final StageDriver.Sink sink;
    private final int number;
    private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
    private final AtomicReference<@Nullable Hook> hooks = new AtomicReference<>();
    private volatile @Nullable CompletionStage<?> stage;

    StageAttempt(StageExecution execution, StageDriver.Sink sink) {
        this.execution = execution;
        this.sink = sink;
        this.number = execution.attempt();
    }

    void start(ContextualStageCall<?> work) {
        execution.enter(this);
        if (state.get() != State.RUNNING) {
            return;
        }
        try {
            CompletionStage<?> started = work.call(this);
            if (started == null) {
                throw new NullPointerException("the call returned no stage");
            }
            stage = started;
            started.whenComplete((value, error) -> end(error == null ? value : Failure.begun(unwrapped(error))));
            if (state.get() == State.CUT) {
                // While it was being started.
                cancel(started);
            }
        } catch (Throwable error) {
            end(Failure.begun(error));
        }
    }

    private void end(@Nullable Object result) {
        if (state.compareAndSet(State.RUNNING, State.ENDED)) {
            hooks.set(null);
            sink.take(result);
        }
    }

    @Override
    public void cut() {
        if (state.compareAndSet(State.RUNNING, State.CUT)) {
            CompletionStage<?> running = stage;
            if (running != null) {
                cancel(running);
            }
            Hook.run(hooks.getAndSet(null));
            sink.take(Failure.begun(new CancellationException()));
        }
    }

    @SuppressWarnings("EmptyCatch") // see the comment
    private static void cancel(CompletionStage<?> stage) {
        try {
            CompletableFuture<?> future = stage.toCompletableFuture();
            future.cancel(true);
        } catch (Throwable ignored) {
            // The stage is not one that can be cancelled. The caller is freed all the same.
        }
    }

    /** What the work failed with, without what {@code CompletableFuture} wraps it in on the way. */
    private static Throwable unwrapped(Throwable error) {
        Throwable cause = error.getCause();
        return error instanceof CompletionException && cause != null ? cause : error;
    }

    // ---- what the work sees

    @Override
    public String pipeline() {
        return execution.pipeline();
    }

    @Override
    public int attempt() {
        return number;
    }

    @Override
    public Optional<Duration> remaining() {
        return state.get() == State.CUT ? Optional.of(Duration.ZERO) : execution.remaining();
    }

    @Override
    public boolean isCancelled() {
        State seen = state.get();
        return seen == State.CUT || (seen == State.RUNNING && execution.isCancelled());
    }

    @Override
    public void onCancel(Runnable hook) {
        Hook seen = hooks.get();
        while (!hooks.compareAndSet(seen, new Hook(hook, seen))) {
            seen = hooks.get();
        }
        State now = state.get();
        if (now == State.CUT) {
            Hook.run(hooks.getAndSet(null));
        } else if (now == State.ENDED) {
            hooks.set(null);
        }
    }
}
