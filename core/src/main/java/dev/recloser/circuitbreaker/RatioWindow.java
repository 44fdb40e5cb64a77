package dev.recloser.circuitbreaker;

import dev.recloser.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The window of the rule of a ratio over time: a {@link TimeWindow}, and the knowledge when it need not be looked at.
 *
 * <p>The condition is looked at by the recording that completes it. That can be a success: one that brings the throughput to the
 * minimum, or the first one after old successes have left the window. So a success looks too, unless it cannot matter: there was no
 * failure within the sampling time, or the minimum was reached before in this slice and looked at then; successes added since have
 * only lowered the ratio, and each failure looks for itself. While a success cannot matter and calls come thick and fast, there is a
 * {@link SliceLease}, and a success is recorded without the clock.
 */
final class RatioWindow extends Window {

    /** Calls that follow each other this closely are worth a lease. */
    private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final VarHandle LEASE;

    static {
        try {
            LEASE = MethodHandles.lookup().findVarHandle(RatioWindow.class, "lease", SliceLease.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final FailureRule.Ratio rule;
    private final long recentNanos;
    private final TimeWindow window;
    private final TimeSource time;

    /**
     * When the latest failure was, give or take how long a thread can stand still between reading the clock and writing this:
     * hence twice the sampling time in {@link #recentNanos}.
     */
    private volatile long lastFailure;

    /** The slice in which the minimum throughput was last reached, and looked at. */
    private volatile TimeWindow.@Nullable Slice throughputReached;

    /** The lease that is in force, or just beginning. */
    private volatile @Nullable SliceLease lease;

    /** When a success was last recorded by the clock. A hint: races on it are harmless. */
    private long lastTimed;

    RatioWindow(FailureRule.Ratio rule, long now, TimeSource time) {
        this(rule, new TimeWindow(rule.samplingDuration().toNanos(), now), time);
        this.lastFailure = now - recentNanos - 1;
        this.lastTimed = now - BUSY_NANOS;
    }

    private RatioWindow(FailureRule.Ratio rule, TimeWindow window, TimeSource time) {
        this.rule = rule;
        this.recentNanos = 2 * rule.samplingDuration().toNanos();
        this.window = window;
        this.time = time;
    }

    @Override
    Quick successWithoutClock() {
        SliceLease seen = lease;
        TimeWindow.Slice slice = seen == null ? null : seen.slice();
        if (slice == null) {
            return Quick.NOT_COUNTED;
        }
        slice.success();
        // If the lease has ended meanwhile, the failure that ended it may have looked before this success was counted.
        return lease == seen || !isCompletedBySuccess(slice, time.nanoTime()) ? Quick.COUNTED : Quick.COMPLETES;
    }

    @Override
    boolean success(long now) {
        TimeWindow.Slice slice = window.slice(now);
        slice.success();
        if (matters(slice, now)) {
            return look(slice, now);
        }
        if (lease == null) {
            leaseIfBusy(slice, now);
        }
        return false;
    }

    private boolean isCompletedBySuccess(TimeWindow.Slice slice, long now) {
        return matters(slice, now) && look(slice, now);
    }

    /** Whether a success that was counted in this slice can be the one that completes the condition. */
    private boolean matters(TimeWindow.Slice slice, long now) {
        return slice != throughputReached && now - lastFailure <= recentNanos;
    }

    @Override
    boolean failure(long now) {
        lastFailure = now;
        TimeWindow.Slice slice = window.slice(now);
        SliceLease seen = lease;
        if (seen != null && (slice != throughputReached || slice != seen.slice())) {
            end(seen);
        }
        slice.failure();
        return look(slice, now);
    }

    private void leaseIfBusy(TimeWindow.Slice slice, long now) {
        long gap = now - lastTimed;
        lastTimed = now;
        if (gap <= 0 || gap >= BUSY_NANOS) {
            return;
        }
        SliceLease made = new SliceLease(this, time);
        if (!LEASE.compareAndSet(this, null, made)) {
            return;
        }
        // A failure before this moment is seen here; one after it sees the lease.
        if (matters(slice, now)) {
            end(made);
            return;
        }
        try {
            made.begin(slice, window.endOf(slice), now);
        } catch (Throwable noRoom) {
            // Of the timer's. It works without a lease too.
            end(made);
        }
    }

    /** Ends a lease, unless another has done so. */
    void end(SliceLease ended) {
        if (LEASE.compareAndSet(this, ended, null)) {
            ended.end();
        }
    }

    private boolean look(TimeWindow.Slice slice, long now) {
        Tally tally = window.tally(now);
        if (rule.opens(tally.calls(), tally.failures())) {
            return true;
        }
        if (rule.hasThroughput(tally.calls())) {
            throughputReached = slice;
        }
        return false;
    }

    @Override
    Tally tally(long now) {
        return window.tally(now);
    }

    @Override
    Window under(FailureRule changed, long now, TimeSource time) {
        if (!(changed instanceof FailureRule.Ratio ratio)) {
            return Window.of(changed, now, time);
        }
        RatioWindow copy =
                new RatioWindow(ratio, window.resampled(ratio.samplingDuration().toNanos(), now), time);
        copy.lastFailure = lastFailure;
        copy.lastTimed = lastTimed;
        return copy;
    }
}
