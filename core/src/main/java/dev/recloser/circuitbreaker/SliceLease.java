package dev.recloser.circuitbreaker;

import dev.recloser.time.Alarm;
import dev.recloser.time.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * For a while, the timer watches in the place of each call that a slice has not turned over. While it lasts, a success is counted in that slice
 * without a look at the clock, which costs more than all the rest of recording it.
 *
 * <p>A lease ends when the slice does, after {@link #LONGEST_NANOS}, or when a failure makes successes matter again. Whoever ends it takes it
 * from its window first, and only one does.
 */
final class SliceLease extends Alarm {

    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private enum Phase {
        BEGINNING,
        WATCHED,
        ENDED
    }

    private final RatioWindow window;
    private final TimeSource time;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.BEGINNING);

    /** The slice; null until the timer watches. */
    private volatile TimeWindow.@Nullable Slice slice;

    SliceLease(RatioWindow window, TimeSource time) {
        this.window = window;
        this.time = time;
    }

    /**
     * Lets it begin. It may have been ended already, or may end meanwhile.
     *
     * @param sliceEnd when the slice turns over
     */
    void begin(TimeWindow.Slice leased, long sliceEnd, long now) {
        setDue(now + Math.min(LONGEST_NANOS, sliceEnd - now));
        time.timer().add(this);
        slice = leased;
        if (!phase.compareAndSet(Phase.BEGINNING, Phase.WATCHED)) {
            time.timer().remove(this);
        }
    }

    /** The slice in which a success is counted; null if the lease has not begun. */
    TimeWindow.@Nullable Slice slice() {
        return slice;
    }

    @Override
    public void ring(long now) {
        unset();
        window.end(this);
    }

    /** Called once, by the one who took it from its window. */
    void end() {
        if (phase.getAndSet(Phase.ENDED) == Phase.WATCHED) {
            time.timer().remove(this);
        }
    }
}
