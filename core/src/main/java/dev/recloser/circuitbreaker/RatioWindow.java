package dev.recloser.circuitbreaker;

import org.jspecify.annotations.Nullable;

/**
 * The window of the rule of a ratio over time: a {@link TimeWindow}, and the knowledge when it need not be looked at.
 *
 * <p>The condition is looked at by the recording that completes it. That can be a success: one that brings the throughput to the
 * minimum, or the first one after old successes have left the window. So a success looks too, unless it cannot matter: there was no
 * failure within the sampling time, or the minimum was reached before in this slice and looked at then; successes added since have
 * only lowered the ratio, and each failure looks for itself.
 */
final class RatioWindow extends Window {

    private final FailureRule.Ratio rule;
    private final long recentNanos;
    private final TimeWindow window;

    /**
     * When the latest failure was, give or take how long a thread can stand still between reading the clock and writing this:
     * hence twice the sampling time in {@link #recentNanos}.
     */
    private volatile long lastFailure;

    /** The slice in which the minimum throughput was last reached, and looked at. */
    private volatile TimeWindow.@Nullable Slice throughputReached;

    RatioWindow(FailureRule.Ratio rule, long now) {
        this(rule, new TimeWindow(rule.samplingDuration().toNanos(), now));
        this.lastFailure = now - recentNanos - 1;
    }

    private RatioWindow(FailureRule.Ratio rule, TimeWindow window) {
        this.rule = rule;
        this.recentNanos = 2 * rule.samplingDuration().toNanos();
        this.window = window;
    }

    @Override
    boolean success(long now) {
        TimeWindow.Slice slice = window.slice(now);
        slice.success();
        return slice != throughputReached && now - lastFailure <= recentNanos && look(slice, now);
    }

    @Override
    boolean failure(long now) {
        lastFailure = now;
        TimeWindow.Slice slice = window.slice(now);
        slice.failure();
        return look(slice, now);
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
    Window under(FailureRule changed, long now) {
        if (!(changed instanceof FailureRule.Ratio ratio)) {
            return Window.of(changed, now);
        }
        RatioWindow copy =
                new RatioWindow(ratio, window.resampled(ratio.samplingDuration().toNanos(), now));
        copy.lastFailure = lastFailure;
        return copy;
    }
}
