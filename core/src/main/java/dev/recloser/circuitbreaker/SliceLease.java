package dev.recloser.circuitbreaker;

import dev.recloser.time.Countdown;
import dev.recloser.time.TimeSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * For a while, the timer watches in the place of each call that a slice has not turned over. While it lasts, a success is counted in that slice
 * without a look at the clock, which costs more than all the rest of recording it.
 *
 * <p>A lease ends when the slice does, after {@link #LONGEST_NANOS}, or when a failure makes successes matter again. Whoever ends it takes it
 * from its window first, and only one does.
 */
final class SliceLease {

    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Countdown end;

    /** The slice; null until the timer watches. */
    private volatile TimeWindow.@Nullable Slice slice;

    SliceLease(RatioWindow window, TimeSource time) {
        this.end = new Countdown(time, Runnable::run, () -> window.end(this));
    }

    /**
     * Lets it begin. It may have been ended already, or may end meanwhile.
     *
     * @param sliceEnd when the slice turns over
     */
    void begin(TimeWindow.Slice leased, long sliceEnd, long now) {
        end.begin(now + Math.min(LONGEST_NANOS, sliceEnd - now));
        slice = leased;
    }

    /** The slice in which a success is counted; null if the lease has not begun. */
    TimeWindow.@Nullable Slice slice() {
        return slice;
    }

    /** Called once, by the one who took it from its window. */
    void end() {
        end.stop();
    }
}
