package dev.recloser;

import dev.recloser.time.TimeSource;
import org.jspecify.annotations.Nullable;

/** A blocking call, on the thread of its caller. */
final class BlockingExecution extends Execution {

    private final Thread thread = Thread.currentThread();

    BlockingExecution(String pipeline, TimeSource time) {
        super(pipeline, time);
    }

    /**
     * Interrupts at once: while the phase is busy the call cannot leave the deadline. Like every interrupt of a thread that is inside
     * a channel, this closes the channel on the thread that interrupts, which is the timer's.
     */
    @Override
    @Nullable
    Runnable cut() {
        Interrupts.send(this, thread);
        return null;
    }

    @Override
    void cutIsOver() {
        Interrupts.takeBack(this);
    }
}
