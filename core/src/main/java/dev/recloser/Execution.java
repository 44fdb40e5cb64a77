package dev.recloser;

import dev.recloser.time.Alarm;
import dev.recloser.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way through a pipeline: its attempt, and the tightest deadline around the place where it is now.
 *
 * <p>Deadlines nest, and an inner one counts only while it is the tighter one. So there is one due time for all of them, that of
 * the tightest, and this object is itself the alarm that the timer watches. Whoever enters a tighter deadline
 * {@linkplain #tighten tightens} it and {@linkplain #loosen restores} the one around on the way out.
 *
 * <p>The due time, the layer it belongs to, and what the timer does when it is over are guarded by {@link #phase}: to change
 * them one must have moved it to {@code BUSY}. So the timer cuts a call only while the deadline that it saw is in force, and
 * once {@code loosen} has returned no interrupt can come any more.
 */
abstract class Execution extends Alarm implements CallContext {

    /** No deadline is in force. */
    private static final int IDLE = 0;
    /** A deadline is in force and not over. */
    private static final int ARMED = 1;
    /** Somebody is changing the fields below, for a few instructions. */
    private static final int BUSY = 2;
    /** The deadline in force is over and the call has been cut. */
    private static final int FIRED = 3;
    /** The caller has cancelled. Final. */
    private static final int CANCELLED = 4;

    /** As long as a limit can sensibly be, so that sums of times do not overflow: about 146 years. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private static final int SPINS = 100;

    /** For {@link #dueLayer}. */
    static final int NO_LAYER = -1;

    private static final VarHandle PHASE;
    private static final VarHandle HOOKS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PHASE = lookup.findVarHandle(Execution.class, "phase", int.class);
            HOOKS = lookup.findVarHandle(Execution.class, "hooks", Hook.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String pipeline;
    private final TimeSource time;

    private volatile int phase = IDLE;
    private int dueLayer = NO_LAYER;
    private volatile int attempt = 1;

    /** The hooks of the attempt that is running, the latest first. Whoever takes them out runs them. */
    private volatile @Nullable Hook hooks;

    Execution(String pipeline, TimeSource time) {
        this.pipeline = pipeline;
        this.time = time;
    }

    final TimeSource time() {
        return time;
    }

    /**
     * Notes what is running at this moment, and returns what makes it stop, null if nothing more is to be done. Called while the phase
     * is {@code BUSY}, so that it cannot be the work of another attempt. Quick; what it returns may run what is the user's.
     */
    abstract @Nullable Runnable cut();

    /** The call has left the deadline because of which it was cut. */
    void cutIsOver() {
        // Nothing remains of a cut, unless a subclass says so.
    }

    // ---- deadlines

    /** The time at which a limit that begins now is over. */
    final long dueIn(long limitNanos) {
        return time.nanoTime() + Math.min(limitNanos, LONGEST_NANOS);
    }

    /** The layer whose deadline is in force. Only for the driver of this call, to hand back to {@link #loosen}. */
    final int dueLayer() {
        return dueLayer;
    }

    /**
     * Puts a deadline in force if it is tighter than the one that is.
     *
     * @return false if the call has been cut, or the deadline around is over sooner: then there is nothing to restore
     */
    final boolean tighten(int layer, long due) {
        int held = hold();
        if (held == IDLE) {
            dueLayer = layer;
            setDue(due);
            phase = ARMED;
            try {
                time.timer().add(this);
            } catch (Throwable noRoom) {
                loosen(NO_LAYER, 0);
                throw noRoom;
            }
            return true;
        }
        if (held == ARMED && due - due() < 0) {
            dueLayer = layer;
            setDue(due);
            phase = ARMED;
            time.timer().moved(this);
            return true;
        }
        phase = held;
        return false;
    }

    /**
     * Ends a deadline that {@link #tighten} put in force, and restores the one around it.
     *
     * @param outerLayer what {@link #dueLayer} was before
     * @param outerDue what {@link #due} was before
     * @return whether the deadline was over, and the call cut because of it
     */
    final boolean loosen(int outerLayer, long outerDue) {
        int held = hold();
        if (outerLayer == NO_LAYER) {
            unset();
            dueLayer = NO_LAYER;
            phase = held == CANCELLED ? CANCELLED : IDLE;
            time.timer().remove(this);
        } else {
            dueLayer = outerLayer;
            if (held == CANCELLED) {
                phase = CANCELLED;
            } else {
                setDue(outerDue);
                phase = ARMED;
                time.timer().moved(this);
            }
        }
        if (held == FIRED) {
            cutIsOver();
        }
        return held == FIRED;
    }

    @Override
    protected final void ring(long now) {
        if (!PHASE.compareAndSet(this, ARMED, BUSY)) {
            return;
        }
        if (due() - now > 0) {
            phase = ARMED;
            return;
        }
        unset();
        Runnable stop;
        try {
            stop = cutWithHooks();
        } finally {
            phase = FIRED;
        }
        if (stop != null) {
            time.executor().execute(stop);
        }
    }

    /** The caller no longer wants the outcome. */
    final void cancel() {
        int held = hold();
        unset();
        Runnable stop = held == CANCELLED ? null : cutWithHooks();
        phase = CANCELLED;
        if (stop != null) {
            stop.run();
        }
    }

    private @Nullable Runnable cutWithHooks() {
        Runnable cut = cut();
        Hook registered = hooks;
        if (registered == null) {
            return cut;
        }
        return () -> {
            if (cut != null) {
                cut.run();
            }
            // Unless the attempt that they belong to has ended meanwhile.
            if (HOOKS.compareAndSet(this, registered, null)) {
                Hook.run(registered);
            }
        };
    }

    /** Waits for the few instructions that another thread may need, and returns the phase that was found. */
    private int hold() {
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

    private int settledPhase() {
        int seen = phase;
        for (int spins = 0; seen == BUSY; spins++) {
            spin(spins);
            seen = phase;
        }
        return seen;
    }

    /** Whether the call was cut by a deadline further out than this layer. */
    final boolean isTimedOutOutside(int layer) {
        return phase != IDLE && settledPhase() == FIRED && dueLayer < layer;
    }

    final boolean isCancelledByCaller() {
        return phase != IDLE && settledPhase() == CANCELLED;
    }

    /** Nanoseconds that the deadline in force leaves; {@code Long.MAX_VALUE} without one. */
    final long remainingNanos() {
        if (isCancelled()) {
            return 0;
        }
        return isSet() ? Math.max(0, due() - time.nanoTime()) : Long.MAX_VALUE;
    }

    // ---- the context that work and strategies see

    @Override
    public final String pipeline() {
        return pipeline;
    }

    @Override
    public final int attempt() {
        return attempt;
    }

    final void attempt(int number) {
        attempt = number;
    }

    @Override
    public final Optional<Duration> remaining() {
        long nanos = remainingNanos();
        return nanos == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    }

    @Override
    public final boolean isCancelled() {
        int seen = phase;
        return seen != IDLE && seen != ARMED && settledPhase() >= FIRED;
    }

    @Override
    public void onCancel(Runnable hook) {
        Hook seen = hooks;
        while (!HOOKS.compareAndSet(this, seen, new Hook(hook, seen))) {
            seen = hooks;
        }
        if (isCancelled()) {
            Hook.run((Hook) HOOKS.getAndSet(this, null));
        }
    }

    /** Forgets the hooks of an attempt that has ended; if it was cut, it sees to it that they are run before the call returns. */
    final void attemptEnded() {
        if (hooks != null) {
            Hook registered = (Hook) HOOKS.getAndSet(this, null);
            if (isCancelled()) {
                Hook.run(registered);
            }
        }
    }
}
