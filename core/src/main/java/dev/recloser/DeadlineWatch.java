package dev.recloser;

import dev.recloser.time.Countdown;
import dev.recloser.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Watches the deadlines of one call, and cuts it when one is over.
 *
 * <p>Deadlines nest, and an inner one counts only while it is the tighter one. So there is one deadline in force, the tightest, and
 * this object is itself the alarm that the timer watches. Whoever enters a tighter deadline {@linkplain #tighten tightens} it and
 * {@linkplain #loosen restores} the one around on the way out.
 *
 * <p>The deadline, the layer it belongs to, and what the timer does when it is over are guarded by the {@linkplain PhaseLock phase}: to
 * change them one must hold it. So the timer cuts a call only while the deadline that it saw is in force, and once {@code loosen} has
 * returned no interrupt can come any more.
 *
 * <p>The alarm may be due before the deadline is over: then the timer only looks. So where it is known what limits follow further in,
 * the timer looks at least as often as the shortest of them lasts, and need not be told when one is entered.
 */
abstract class DeadlineWatch extends PhaseLock {

    /** As long as a limit can sensibly be, so that sums of times do not overflow: about 146 years. */
    static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    /** To look more often than this would cost more than to be told. */
    private static final long SHORTEST_LOOK_NANOS = 10_000_000;

    private static final long MOST_LOOKS = 100;
    private static final int NEVER = Integer.MAX_VALUE;

    /** For {@link #dueLayer}. */
    static final int NO_LAYER = -1;

    private static final VarHandle DUE_LAYER;
    private static final VarHandle DEADLINE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            DUE_LAYER = lookup.findVarHandle(DeadlineWatch.class, "dueLayer", int.class);
            DEADLINE = lookup.findVarHandle(DeadlineWatch.class, "deadline", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The layer whose deadline is in force. Written after the deadline itself. */
    private volatile int dueLayer = NO_LAYER;

    private volatile long deadline;

    /** As long as the timer may go without looking, in milliseconds, since deadlines inside the first one may be entered without telling it. */
    private int lookEvery = NEVER;

    /** Whether nobody but the thread of the call and the timer ever changes anything here, and the timer only while a deadline is in force. */
    private final boolean alone;

    DeadlineWatch(boolean alone) {
        this.alone = alone;
    }

    final boolean isAlone() {
        return alone;
    }

    abstract TimeSource time();

    /**
     * Cuts what is running at this moment, and returns what else is to be done, null if nothing is. Called while the phase is
     * {@code BUSY}, so that it cannot be the work of another attempt. Quick; what it returns may run what is the user's.
     */
    abstract @Nullable Runnable cutAll();

    /** The call has left the deadline because of which it was cut. */
    void cutIsOver() {
        // Nothing remains of a cut, unless a subclass says so.
    }

    /** The time at which a limit that begins now is over. */
    final long dueIn(long limitNanos) {
        return time().nanoTime() + Math.min(limitNanos, LONGEST_NANOS);
    }

    /** The layer whose deadline is in force. Only for the driver of this call, to hand back to {@link #loosen}. */
    final int dueLayer() {
        return dueLayer;
    }

    /** When the deadline in force is over; meaningless if there is none. */
    final long deadline() {
        return deadline;
    }

    /** Whether a deadline is in force. */
    final boolean isBound() {
        return dueLayer != NO_LAYER;
    }

    private void set(int layer, long due) {
        DEADLINE.setRelease(this, due);
        DUE_LAYER.setRelease(this, layer);
    }

    /**
     * Puts a deadline in force if it is tighter than the one that is.
     *
     * @param due when it is over
     * @param shortestInside the shortest limit that is known to follow further in, in nanoseconds
     * @return false if the call has been cut, or the deadline around is over sooner: then there is nothing to restore
     */
    final boolean tighten(int layer, long due, long limit, long shortestInside) {
        if (alone) {
            int seen = phase();
            if (seen == IDLE) {
                watch(layer, due, limit, shortestInside);
                return true;
            }
            if (seen == ARMED && limit >= lookEveryNanos() && due - deadline < 0 && due() - due <= 0) {
                // The timer looks in time, now and always; see ring.
                set(layer, due);
                return true;
            }
        }
        int held = hold();
        if (held == IDLE) {
            watch(layer, due, limit, shortestInside);
            return true;
        }
        if (held == ARMED && due - deadline < 0) {
            set(layer, due);
            setDue(due);
            release(ARMED);
            time().timer().moved(this);
            return true;
        }
        release(held);
        return false;
    }

    private long lookEveryNanos() {
        return lookEvery == NEVER ? Long.MAX_VALUE : lookEvery * 1_000_000L;
    }

    private void watch(int layer, long due, long limit, long shortestInside) {
        set(layer, due);
        boolean isWorthIt = shortestInside >= SHORTEST_LOOK_NANOS && shortestInside >= limit / MOST_LOOKS;
        lookEvery = isWorthIt ? (int) Math.min(NEVER, shortestInside / 1_000_000) : NEVER;
        setDue(due - limit + Math.min(limit, lookEveryNanos()));
        release(ARMED);
        try {
            time().timer().add(this);
        } catch (Throwable noRoom) {
            loosen(NO_LAYER, 0);
            throw noRoom;
        }
    }

    /**
     * Ends a deadline that {@link #tighten} put in force, and restores the one around it.
     *
     * @param outerLayer what {@link #dueLayer} was before
     * @param outerDue what {@link #deadline} was before
     * @return whether the deadline was over, and the call cut because of it
     */
    final boolean loosen(int outerLayer, long outerDue) {
        int held = hold();
        long left = deadline;
        set(outerLayer, outerDue);
        if (outerLayer == NO_LAYER) {
            unset();
            release(held == CANCELLED ? CANCELLED : IDLE);
            time().timer().remove(this);
        } else if (held == FIRED) {
            setDue(outerDue);
            release(ARMED);
            time().timer().moved(this);
        } else {
            release(held);
        }
        if (held != FIRED) {
            return false;
        }
        cutIsOver();
        return left - time().nanoTime() <= 0; // if not, it was that of one that had just been left lightly
    }

    /**
     * The same for a deadline whose call has ended in a value, when nothing of the user's runs before a deadline further out is left too. It
     * need not be waited for until the timer knows: should it ring at this very moment, that is seen, and its interrupt taken back,
     * further out.
     *
     * @return false if it must be left by {@link #loosen}
     */
    final boolean leaveLightly(int outerLayer, long outerDue) {
        if (!alone || phase() != ARMED) {
            return false;
        }
        set(outerLayer, outerDue);
        return true;
    }

    @Override
    public final void ring(long now) {
        if (!tryHold(ARMED)) {
            return;
        }
        long rest = deadline - now;
        if (rest > 0) {
            // If a tighter deadline is just being entered, it is one that lasts at least this long.
            setDue(now + Math.min(rest, lookEveryNanos()));
            release(ARMED);
            return;
        }
        unset();
        Runnable stop;
        try {
            stop = cutAll();
        } finally {
            release(FIRED);
        }
        if (stop == null) {
            return;
        }
        try {
            time().executor().execute(stop);
        } catch (Throwable noThread) {
            new Countdown(time(), stop).begin(now + Countdown.TRY_AGAIN_NANOS);
        }
    }

    /** The caller no longer wants the outcome. */
    final void cancel() {
        Runnable stop = cancelled();
        if (stop != null) {
            stop.run();
        }
    }

    /** The same, but nothing of the user's runs on this thread because of it, if there is another. */
    final void cancelElsewhere() {
        Runnable stop = cancelled();
        if (stop != null) {
            try {
                time().executor().execute(stop);
            } catch (Throwable noThread) {
                stop.run();
            }
        }
    }

    private @Nullable Runnable cancelled() {
        int held = hold();
        if (held == RETIRED || held == CANCELLED) {
            release(held);
            return null;
        }
        unset();
        try {
            return cutAll();
        } finally {
            release(CANCELLED);
        }
    }

    /** The attempt has ended: from now on nothing cuts it, and no interrupt comes. */
    final void retire() {
        int held = hold();
        boolean isCut = held == FIRED || held == CANCELLED;
        boolean isWatched = isBound();
        unset();
        release(isCut ? CANCELLED : RETIRED);
        if (isWatched) {
            time().timer().remove(this);
        }
        if (isCut) {
            cutIsOver();
        }
    }

    /** Whether the call was cut by a deadline further out than this layer. */
    final boolean isTimedOutOutside(int layer) {
        return phase() != IDLE
                && settledPhase() == FIRED
                && dueLayer < layer
                // If it is not over, one that was left lightly has fired.
                && deadline - time().nanoTime() <= 0;
    }

    final boolean isCancelledByCaller() {
        return phase() != IDLE && settledPhase() == CANCELLED;
    }

    /** Whether the call was cut because a deadline is over. */
    final boolean isTimedOut() {
        return phase() != IDLE && settledPhase() == FIRED;
    }

    /** Nanoseconds that the deadline in force leaves; {@code Long.MAX_VALUE} without one. */
    final long remainingNanos() {
        if (isCut()) {
            return 0;
        }
        return isBound() ? Math.max(0, deadline - time().nanoTime()) : Long.MAX_VALUE;
    }

    /** Whether a deadline has cut this call or its caller has cancelled it. */
    final boolean isCut() {
        int seen = phase();
        return seen != IDLE && seen != ARMED && isCut(settledPhase());
    }

    private static boolean isCut(int settled) {
        return settled == FIRED || settled == CANCELLED;
    }
}
