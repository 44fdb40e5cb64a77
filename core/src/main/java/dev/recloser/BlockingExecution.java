package dev.recloser;

import org.jspecify.annotations.Nullable;

/** A blocking call, on the thread that made this object. */
final class BlockingExecution extends Execution {

    private final Thread thread = Thread.currentThread();

    /** A call. */
    BlockingExecution(Plan plan, boolean repeatable) {
        this(plan, repeatable, true);
    }

    private BlockingExecution(Plan plan, boolean repeatable, boolean alone) {
        super(plan, repeatable, alone);
    }

    /** One of the attempts of a call that run beside each other, and which the others can cancel. */
    static BlockingExecution inRace(Execution trunk) {
        return new BlockingExecution(trunk.plan(), trunk.isRepeatable(), false);
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
