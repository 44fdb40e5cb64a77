package dev.recloser.circuitbreaker;

import dev.recloser.time.TimeSource;

/**
 * What must be remembered of past outcomes to say when a {@link FailureRule} opens the circuit. Thread-safe, without locks. Its
 * clock may run ahead or behind by what a thread can stand still between reading it and recording.
 */
abstract sealed class Window permits RatioWindow, CountWindow, ConsecutiveWindow {

    static Window of(FailureRule rule, long now, TimeSource time) {
        if (rule instanceof FailureRule.Ratio ratio) {
            return new RatioWindow(ratio, now, time);
        }
        if (rule instanceof FailureRule.Count count) {
            return new CountWindow(count, now);
        }
        return new ConsecutiveWindow((FailureRule.Consecutive) rule);
    }

    /** What became of a success that was recorded without the clock. */
    enum Quick {
        /** It must be told by {@link #success}. */
        NOT_COUNTED,
        COUNTED,
        /** It is counted, and completes the condition. */
        COMPLETES
    }

    /** Records a success that needs no clock, if this is one. */
    Quick successWithoutClock() {
        return Quick.NOT_COUNTED;
    }

    /** Records a success; true if that completes the condition. */
    abstract boolean success(long now);

    /** Records a failure; true if that completes the condition. */
    abstract boolean failure(long now);

    /** What counts at this time. */
    abstract Tally tally(long now);

    /**
     * The window for a changed rule: with what this one remembers if the rule is of the same kind, else empty. What is being recorded
     * at the same moment may be missed.
     */
    abstract Window under(FailureRule rule, long now, TimeSource time);
}
