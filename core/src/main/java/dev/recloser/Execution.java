package dev.recloser;

import dev.recloser.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One call on its way through a pipeline, or one of several attempts of it that run beside each other; and what its work sees of it. */
abstract class Execution extends DeadlineWatch implements CallContext {

    private static final VarHandle HOOKS;

    static {
        try {
            HOOKS = MethodHandles.lookup().findVarHandle(Execution.class, "hooks", Hook.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Plan plan;
    private final boolean repeatable;

    private volatile int attempt = 1;

    private volatile boolean hasWorked;

    /**
     * For one of several attempts that run beside each other: its {@link Branch}. For a call that is watched: its {@link CallWatch}. Else null.
     * One field for both, since most calls are neither, and each has one of these objects.
     */
    private @Nullable Object role;

    /** The time as it was read last, while nothing has taken time since; else 0. Of the driver of a blocking call alone. */
    private long recent;

    /** The hooks of the attempt that is running, the latest first. Whoever takes them out runs them. */
    private volatile @Nullable Hook hooks;

    /** What makes this one of several attempts that run beside each other: the call of which it is one, and which. */
    private record Branch(Execution trunk, int hedge) {}

    Execution(Plan plan, boolean repeatable, boolean alone) {
        super(alone);
        this.plan = plan;
        this.repeatable = repeatable;
    }

    /**
     * The time at which a limit of a blocking call is over that is just entering a deadline. Where one deadline stands in another and nothing has taken time in between,
     * they begin at the same moment: to read the clock costs more than all the rest of entering.
     */
    final long dueOnEntering(long limitNanos) {
        return recentTime() + Math.min(limitNanos, LONGEST_NANOS);
    }

    /** The time, read only if anything may have taken time since it was read last. */
    final long recentTime() {
        if (recent == 0) {
            recent = time().nanoTime();
        }
        return recent;
    }

    /** Something has taken time that began at this moment, and has just ended. */
    final long nanosSince(long start) {
        recent = time().nanoTime();
        return recent - start;
    }

    /** Somebody watches this call, which has not begun. */
    final void watchedBy(CallWatch watch) {
        role = watch;
    }

    /** Who watches this call; null if nobody does. */
    final @Nullable CallWatch watch() {
        Object seen = role;
        if (seen == null) {
            return null;
        }
        return seen instanceof Branch branch ? branch.trunk.watch() : (CallWatch) seen;
    }

    /** The work of an attempt begins. */
    final void worksNow() {
        if (!hasWorked) {
            hasWorked = true;
            if (role instanceof Branch branch) {
                branch.trunk.worksNow();
            }
        }
    }

    /** Whether the work of any attempt has begun. */
    final boolean hasWorked() {
        return hasWorked;
    }

    /** Something begins that may take time. */
    final void timePasses() {
        // One object can stand for all calls, and must not be written to by each.
        if (recent != 0) {
            recent = 0;
        }
    }

    /** The timeout that has cut the call; null if none has. */
    final @Nullable Layer timeoutInForce() {
        return isTimedOut() ? plan.layers().get(dueLayer()) : null;
    }

    final Plan plan() {
        return plan;
    }

    @Override
    final TimeSource time() {
        return plan.time();
    }

    /** Notes what is running at this moment, and returns what makes it stop, null if nothing more is to be done. Called as {@link #cutAll} is. */
    abstract @Nullable Runnable cut();

    /**
     * Makes this the execution of one of the attempts of another call that run beside each other, before it is used. The deadline in force
     * there binds here too; both watch it, each for itself.
     */
    final void branchOff(Execution call, int number, int trunkLayer, long trunkDue) {
        // A race of one, such as a detached timeout, makes no other attempt of it.
        role = new Branch(call, number == 0 ? call.hedge() : number);
        attempt(call.attempt());
        if (trunkLayer != NO_LAYER) {
            tighten(trunkLayer, trunkDue, 0, Long.MAX_VALUE);
        }
    }

    @Override
    final @Nullable Runnable cutAll() {
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

    // ---- the context that work and strategies see

    @Override
    public final String pipeline() {
        return plan.name();
    }

    @Override
    public final int attempt() {
        return attempt;
    }

    @Override
    public final int hedge() {
        return role instanceof Branch branch ? branch.hedge : 0;
    }

    @Override
    public final boolean isRepeatable() {
        return repeatable;
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
        return isCut();
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
