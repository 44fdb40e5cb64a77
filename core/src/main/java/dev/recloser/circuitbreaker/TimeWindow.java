package dev.recloser.circuitbreaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the outcomes of the last sampling time. The time is cut into {@link #SLICES} slices, each with its own counters; what is
 * older than that many slices, the current one included, is not counted. So the window spans between nine and ten tenths of the
 * sampling time, and it ages on reads as well as on writes.
 *
 * <p>The slices that are live stand in one immutable array, newest first, which is replaced as a whole when time has moved into a
 * new slice. Recording an outcome is one read of that array, one subtraction to see that its first slice is still the current
 * one, and one addition to a striped counter.
 *
 * <p>A recording whose clock was read just before a slice turned over is counted in the slice that its time belongs to, or
 * in the next one if there is none; it never counts twice, and is lost only if its thread stood still for the whole sampling time.
 */
final class TimeWindow {

    static final int SLICES = 10;

    private static final VarHandle LIVE;

    static {
        try {
            LIVE = MethodHandles.lookup().findVarHandle(TimeWindow.class, "live", Slice[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The counters of a slice of time. It is itself the adder of its calls, since a window has ten of them and a process may have
     * thousands of windows.
     */
    static final class Slice extends LongAdder {

        private static final long serialVersionUID = 1;
        private static final VarHandle FAILURES;

        static {
            try {
                FAILURES = MethodHandles.lookup().findVarHandle(Slice.class, "failures", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        final long start;

        @SuppressWarnings("unused") // written through FAILURES
        private volatile int failures;

        Slice(long start) {
            this.start = start;
        }

        void success() {
            increment();
        }

        /** The call is counted before the failure, so that a reader never sees too high a ratio. */
        void failure() {
            increment();
            addFailures(1);
        }

        private void addFailures(int count) {
            FAILURES.getAndAdd(this, count);
        }
    }

    private final long width;

    @SuppressWarnings("FieldMayBeFinal") // written through LIVE
    private volatile Slice[] live;

    /**
     * An empty window.
     *
     * @param samplingNanos the sampling time, at least a nanosecond for each slice
     * @param now where the first slice starts
     */
    TimeWindow(long samplingNanos, long now) {
        this.width = Math.max(1, samplingNanos / SLICES);
        this.live = new Slice[] {new Slice(now)};
    }

    /** The slice in which an outcome of this time is counted. */
    Slice slice(long now) {
        Slice newest = live[0];
        return now - newest.start < width && now - newest.start >= 0 ? newest : sliceElsewhere(now);
    }

    /** When a slice of this window turns over. */
    long endOf(Slice slice) {
        return slice.start + width;
    }

    private Slice sliceElsewhere(long now) {
        while (true) {
            Slice[] seen = live;
            long ahead = now - seen[0].start;
            if (ahead < width) {
                return olderSlice(seen, now);
            }
            Slice[] moved = moved(seen, seen[0].start + ahead / width * width);
            if (LIVE.compareAndSet(this, seen, moved)) {
                return moved[0];
            }
        }
    }

    /**
     * For a clock that was read before another thread turned the slice over: the slice of that time or, where none was made for it, the
     * next one.
     */
    private Slice olderSlice(Slice[] slices, long now) {
        Slice next = slices[0];
        for (Slice slice : slices) {
            if (now - slice.start >= width) {
                return next;
            }
            next = slice;
        }
        return next;
    }

    private Slice[] moved(Slice[] slices, long start) {
        int kept = 0;
        while (kept < slices.length && isLive(slices[kept], start)) {
            kept++;
        }
        Slice[] moved = new Slice[kept + 1];
        moved[0] = new Slice(start);
        System.arraycopy(slices, 0, moved, 1, kept);
        return moved;
    }

    private boolean isLive(Slice slice, long newestStart) {
        return newestStart - slice.start < SLICES * width;
    }

    /** A window with another sampling time, in which what this one holds is counted where its slices end, the current one now. */
    TimeWindow resampled(long samplingNanos, long now) {
        Slice[] slices = live;
        TimeWindow copy = new TimeWindow(samplingNanos, slices[slices.length - 1].start);
        for (int i = slices.length - 1; i >= 0; i--) {
            long end = slices[i].start + width - 1;
            Slice counted = copy.slice(end - now < 0 ? end : now);
            counted.add(slices[i].sum());
            counted.addFailures(slices[i].failures);
        }
        copy.slice(now);
        return copy;
    }

    /** What the window holds at this time. */
    Tally tally(long now) {
        Slice[] slices = live;
        long ahead = now - slices[0].start;
        long newestStart = ahead < width ? slices[0].start : slices[0].start + ahead / width * width;
        long calls = 0;
        long failures = 0;
        for (Slice slice : slices) {
            if (isLive(slice, newestStart)) {
                failures += slice.failures;
                calls += slice.sum();
            }
        }
        return new Tally(calls, failures);
    }
}
