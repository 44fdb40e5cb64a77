package dev.recloser.circuitbreaker;

import dev.recloser.time.TimeSource;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts failures in a row. */
final class ConsecutiveWindow extends Window {

    private final FailureRule.Consecutive rule;
    private final AtomicInteger row;

    ConsecutiveWindow(FailureRule.Consecutive rule) {
        this(rule, new AtomicInteger());
    }

    private ConsecutiveWindow(FailureRule.Consecutive rule, AtomicInteger row) {
        this.rule = rule;
        this.row = row;
    }

    /** Writes only where there is a row to end, so that threads that all succeed do not share a line of memory. */
    @Override
    boolean success(long now) {
        if (row.get() != 0) {
            row.set(0);
        }
        return false;
    }

    @Override
    boolean failure(long now) {
        return row.incrementAndGet() >= rule.failures();
    }

    @Override
    Tally tally(long now) {
        int failures = row.get();
        return new Tally(failures, failures);
    }

    @Override
    Window under(FailureRule changed, long now, TimeSource time) {
        return changed instanceof FailureRule.Consecutive consecutive
                ? new ConsecutiveWindow(consecutive, row)
                : Window.of(changed, now, time);
    }
}
