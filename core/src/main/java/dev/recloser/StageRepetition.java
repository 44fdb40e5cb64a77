package dev.recloser;

import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Repeats an attempt over stages until its {@link Repetition} ends. Attempts that end before their start returns are followed up in
 * a loop, not by recursion, so that any number of them fits the stack.
 */
final class StageRepetition implements StageDriver.Sink {

    private final Repetition repetition;
    private final StageExecution execution;
    private final Consumer<StageDriver.Sink> attempt;
    private final StageDriver.Sink sink;

    /** The loop that runs or has run last. */
    private volatile @Nullable Loop loop;

    StageRepetition(
            Repetition repetition,
            StageExecution execution,
            Consumer<StageDriver.Sink> attempt,
            StageDriver.Sink sink) {
        this.repetition = repetition;
        this.execution = execution;
        this.attempt = attempt;
        this.sink = sink;
    }

    /** Starts the next attempt: in the loop, if this is called from within it; else the thread that was in it may be stuck. */
    void start() {
        Loop running = loop;
        if (running != null && running.isOfThisThread()) {
            running.again = true;
            return;
        }
        Loop own = new Loop();
        loop = own;
        do {
            own.again = false;
            attempt.accept(this);
        } while (own.again);
        own.thread = null;
    }

    private void startNext() {
        repetition.beginNext();
        start();
    }

    /** A thread that starts attempts. Only that thread changes it. */
    private static final class Loop {

        private volatile @Nullable Thread thread = Thread.currentThread();
        private boolean again;

        boolean isOfThisThread() {
            return thread == Thread.currentThread();
        }
    }

    @Override
    public void take(@Nullable Object result) {
        long delay = repetition.next(result);
        if (delay == Repetition.ENDED) {
            sink.take(repetition.result());
        } else if (delay == 0) {
            startNext();
        } else {
            execution.await(delay, this::startNext, () -> sink.take(repetition.cut(new CancellationException())));
        }
    }
}
