package dev.recloser.time;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Does something after a time, once, unless it is stopped first. The time may be over, or somebody may stop it, while it is still being
 * given to the timer; whoever comes second then takes it from the timer again.
 *
 * <p>Thread-safe.
 */
public final class Countdown extends Alarm {

    /** After how many nanoseconds the executor is asked again if it had no thread. */
    public static final long TRY_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** So that sums of times do not overflow: about 146 years. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private enum Phase {
        BEGINNING,
        RUNNING,
        ENDED
    }

    private final TimeSource time;
    private final Executor on;
    private final Runnable over;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.BEGINNING);

    /**
     * A countdown that has not begun.
     *
     * @param time by which it goes
     * @param over what is done when the time is over, on the engine's executor
     */
    public Countdown(TimeSource time, Runnable over) {
        this(time, time.executor(), over);
    }

    /**
     * The same, on another executor.
     *
     * @param on called on the timer's thread; {@code Runnable::run} does what is to be done there, which must then be quick, must not throw and
     *     must run nothing of the user's
     */
    public Countdown(TimeSource time, Executor on, Runnable over) {
        this.time = time;
        this.on = on;
        this.over = over;
    }

    /**
     * Begins. To be called once; does nothing if it has been stopped already.
     *
     * @param due when it is over, on the {@linkplain TimeSource#nanoTime() monotonic clock}
     */
    public void begin(long due) {
        setDue(due);
        time.timer().add(this);
        if (!phase.compareAndSet(Phase.BEGINNING, Phase.RUNNING)) {
            time.timer().remove(this);
        }
    }

    /**
     * The same with a time from now on.
     *
     * @param nanos how long, in nanoseconds; at once if it is negative
     */
    public void beginIn(long nanos) {
        begin(time.nanoTime() + Math.min(Math.max(0, nanos), LONGEST_NANOS));
    }

    @Override
    public void ring(long now) {
        unset();
        try {
            on.execute(this::end);
        } catch (Throwable noThread) {
            setDue(now + TRY_AGAIN_NANOS);
        }
    }

    private void end() {
        if (stop()) {
            over.run();
        }
    }

    /**
     * Stops it.
     *
     * @return false if it was stopped before, or is over
     */
    public boolean stop() {
        Phase before = phase.getAndSet(Phase.ENDED);
        if (before == Phase.RUNNING) {
            time.timer().remove(this);
        }
        return before != Phase.ENDED;
    }
}
