package dev.recloser;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One attempt over a stage, and what its work sees of the call: ends when the stage ends, or when it is cut, whichever is first. Work
 * that goes on after having been cut sees that it was, whatever has become of the call since.
 */
final class StageAttempt implements StageExecution.Leaf, CallContext {

    private enum State {
        /** The work has not been called. */
        STARTING,
        RUNNING,
        ENDED,
        /** The caller has been freed. */
        CUT,
        /** The same, and the stage has not reacted to being cancelled. */
        LEFT_BEHIND,
        /** The same, and the stage has ended since. */
        GONE
    }

    private final StageExecution execution;
    private final StageDriver.Sink sink;
    private final int number;
    private final AtomicReference<State> state = new AtomicReference<>(State.STARTING);
    private final AtomicReference<@Nullable Hook> hooks = new AtomicReference<>();
    private volatile @Nullable CompletionStage<?> stage;

    /** When the work began; of a call that is watched. */
    private final long startNanos;

    StageAttempt(StageExecution execution, StageDriver.Sink sink) {
        this.execution = execution;
        this.sink = sink;
        this.number = execution.attempt();
        this.startNanos = execution.watch() == null ? 0 : execution.time().nanoTime();
    }

    void start(ContextualStageCall<?> work) {
        execution.enter(this);
        if (!state.compareAndSet(State.STARTING, State.RUNNING)) {
            return;
        }
        execution.worksNow();
        if (execution.watch() == null) {
            begin(work);
        } else {
            Watch.within(execution, () -> begin(work));
        }
    }

    private void begin(ContextualStageCall<?> work) {
        try {
            CompletionStage<?> started = work.call(this);
            if (started == null) {
                throw new NullPointerException("the call returned no stage");
            }
            stage = started;
            started.whenComplete((value, error) -> end(error == null ? value : Failure.begun(unwrapped(error))));
            if (wasCut()) {
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
            pass(result);
        } else if (wasCut() && state.getAndSet(State.GONE) == State.LEFT_BEHIND) {
            execution.plan().abandoned().decrementAndGet();
        }
    }

    @Override
    public void cut() {
        if (state.compareAndSet(State.STARTING, State.ENDED)) {
            sink.take(Failure.notBegun(new CancellationException()));
        } else if (state.compareAndSet(State.RUNNING, State.CUT)) {
            CompletionStage<?> running = stage;
            if (running != null) {
                cancel(running);
            }
            Hook.run(hooks.getAndSet(null));
            boolean isLeftBehind = isLeftBehind();
            Layer timeout = execution.timeoutInForce();
            pass(Failure.begun(new CancellationException()));
            if (isLeftBehind && timeout != null) {
                execution.plan().listeners().tell(PipelineEvent.Kind.ABANDONED, timeout, execution, null);
            }
        }
    }

    /** The result goes its way, for as long as it takes in the context of the call. */
    private void pass(@Nullable Object result) {
        CallWatch watch = execution.watch();
        if (watch == null) {
            sink.take(result);
            return;
        }
        Watch.attemptEnded(watch, execution, number, result, execution.time().nanoTime() - startNanos);
        Watch.within(execution, () -> sink.take(result));
    }

    /** Counts the work unless it has ended by being cancelled. */
    private boolean isLeftBehind() {
        AtomicLong abandoned = execution.plan().abandoned();
        abandoned.incrementAndGet();
        boolean isLeftBehind = state.compareAndSet(State.CUT, State.LEFT_BEHIND);
        if (!isLeftBehind) {
            abandoned.decrementAndGet();
        }
        return isLeftBehind;
    }

    private boolean wasCut() {
        State seen = state.get();
        return seen == State.CUT || seen == State.LEFT_BEHIND || seen == State.GONE;
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
    public int hedge() {
        return execution.hedge();
    }

    @Override
    public boolean isRepeatable() {
        return execution.isRepeatable();
    }

    @Override
    public Optional<Duration> remaining() {
        return wasCut() ? Optional.of(Duration.ZERO) : execution.remaining();
    }

    @Override
    public boolean isCancelled() {
        return wasCut() || (state.get() == State.RUNNING && execution.isCancelled());
    }

    @Override
    public void onCancel(Runnable hook) {
        Hook seen = hooks.get();
        while (!hooks.compareAndSet(seen, new Hook(hook, seen))) {
            seen = hooks.get();
        }
        if (wasCut()) {
            Hook.run(hooks.getAndSet(null));
        } else if (state.get() == State.ENDED) {
            hooks.set(null);
        }
    }
}
