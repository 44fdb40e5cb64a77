package dev.recloser;

import dev.recloser.time.Alarm;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The phase of a call, which is at the same time a lock: whoever changes what belongs to the phase holds it meanwhile, for a few
 * instructions.
 */
abstract class PhaseLock extends Alarm {

    /** No deadline is in force. */
    static final int IDLE = 0;
    /** A deadline is in force and not over. */
    static final int ARMED = 1;
    /** Somebody is changing the fields below, for a few instructions. */
    static final int BUSY = 2;
    /** The deadline in force is over and the call has been cut. */
    static final int FIRED = 3;
    /** The caller has cancelled. Final. */
    static final int CANCELLED = 4;
    /** It has ended without having been cut. Final. */
    static final int RETIRED = 5;

    private static final int SPINS = 100;

    private static final VarHandle PHASE;

    static {
        try {
            PHASE = MethodHandles.lookup().findVarHandle(PhaseLock.class, "phase", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int phase = IDLE;

    /** The phase, or {@link #BUSY}. */
    final int phase() {
        return phase;
    }

    /** Holds the phase if it is this one. */
    final boolean tryHold(int expected) {
        return PHASE.compareAndSet(this, expected, BUSY);
    }

    /** Waits for the few instructions that another thread may need, and returns the phase that was found. */
    final int hold() {
        for (int spins = 0; ; spins++) {
            int seen = phase;
            if (seen != BUSY && PHASE.compareAndSet(this, seen, BUSY)) {
                return seen;
            }
            spin(spins);
        }
    }

    /** An interrupt, which is sent while busy, can close a channel, and that takes longer than a few instructions. */
    @SuppressWarnings("ThreadPriorityCheck") // a yield is all that is wanted: the other thread is about to be done
    private static void spin(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    /** Ends the change for which the phase was held. All that was written comes before it; nobody need see it at once. */
    final void release(int next) {
        PHASE.setRelease(this, next);
    }

    final int settledPhase() {
        int seen = phase;
        for (int spins = 0; seen == BUSY; spins++) {
            spin(spins);
            seen = phase;
        }
        return seen;
    }
}
