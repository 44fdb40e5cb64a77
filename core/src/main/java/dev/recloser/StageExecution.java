package dev.recloser;

import dev.recloser.time.Countdown;
import org.jspecify.annotations.Nullable;

/** A call over stages. It is always at one leaf: an attempt that runs, a queue in which it stands, a delay, a race. */
final class StageExecution extends Execution {

    /** Something that will come to a result by itself, or is cut. */
    interface Leaf {

        /** Ends at once, in a result that says so, unless it has ended already. */
        void cut();
    }

    private volatile @Nullable Leaf leaf;

    StageExecution(Plan plan, boolean repeatable) {
        super(plan, repeatable, false);
    }

    /**
     * Makes the leaf the one that is cut. If the call has been cut already it is cut at once: either this method sees that, or
     * whoever cuts the call sees the leaf.
     */
    void enter(Leaf entered) {
        leaf = entered;
        if (isCancelled()) {
            entered.cut();
        }
    }

    /**
     * Waits.
     *
     * @param over what follows, on the engine's executor
     * @param cut what is done instead if the call is cut first
     */
    void await(long nanos, Runnable over, Runnable cut) {
        long due = dueIn(nanos);
        Countdown countdown = new Countdown(time(), () -> Watch.within(this, over));
        enter(() -> {
            if (countdown.stop()) {
                Watch.within(this, cut);
            }
        });
        countdown.begin(due);
    }

    @Override
    @Nullable
    Runnable cut() {
        Leaf running = leaf;
        return running == null ? null : running::cut;
    }
}
