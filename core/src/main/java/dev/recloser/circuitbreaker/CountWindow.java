package dev.recloser.circuitbreaker;

import dev.recloser.time.TimeSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers the last outcomes in a ring, each as one number: its time, doubled, and one more if it failed. To record is to take the
 * next place and to write the number; only a failure can complete the condition, and it goes through the ring after it was written,
 * so that of several the last one sees all.
 *
 * <p>A thread that stood still while the whole ring was written anew finds a later outcome in its place and leaves it there.
 */
final class CountWindow extends Window {

    private static final long EMPTY = -1;

    private final FailureRule.Count rule;
    private final long origin;
    private final long spanNanos;
    private final AtomicLongArray ring;
    private final AtomicLong recorded = new AtomicLong();

    CountWindow(FailureRule.Count rule, long now) {
        this.rule = rule;
        this.origin = now;
        this.spanNanos = rule.within().toNanos();
        this.ring = new AtomicLongArray(rule.of());
        for (int i = 0; i < rule.of(); i++) {
            ring.setPlain(i, EMPTY);
        }
    }

    @Override
    boolean success(long now) {
        record(Math.max(0, now - origin) << 1);
        return false;
    }

    @Override
    boolean failure(long now) {
        record(Math.max(0, now - origin) << 1 | 1);
        return tally(now).failures() >= rule.failures();
    }

    private void record(long outcome) {
        int place = (int) (recorded.getAndIncrement() % ring.length());
        long seen = ring.get(place);
        while (seen >> 1 <= outcome >> 1 && !ring.compareAndSet(place, seen, outcome)) {
            seen = ring.get(place);
        }
    }

    @Override
    Tally tally(long now) {
        long oldest = now - origin - spanNanos;
        int calls = 0;
        int failures = 0;
        for (int i = 0; i < ring.length(); i++) {
            long outcome = ring.get(i);
            if (outcome != EMPTY && outcome >> 1 >= oldest) {
                calls++;
                failures += (int) (outcome & 1);
            }
        }
        return new Tally(calls, failures);
    }

    @Override
    Window under(FailureRule changed, long now, TimeSource time) {
        if (!(changed instanceof FailureRule.Count count)) {
            return Window.of(changed, now, time);
        }
        CountWindow copy = new CountWindow(count, origin);
        long end = recorded.get();
        for (long i = Math.max(0, end - ring.length()); i < end; i++) {
            long outcome = ring.get((int) (i % ring.length()));
            if (outcome != EMPTY) {
                copy.record(outcome);
            }
        }
        return copy;
    }
}
