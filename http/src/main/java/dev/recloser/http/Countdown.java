package dev.recloser.http;

import dev.recloser.time.Alarm;
import dev.recloser.time.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Does something when the time for a body is over, unless it is stopped first. The time may be over, or somebody may stop it, while it is
 * still being given to the timer; whoever comes second then takes it from the timer again.
 */
final class Countdown extends Alarm {

    /** After how long the executor is asked again if it had no thread. */
    private static final long TRY_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Longer than any body takes, so that sums of times do not overflow. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private enum Phase {
        BEGINNING,
        RUNNING,
        ENDED
    }

    private final TimeSource time;
    private final Runnable over;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.BEGINNING);

    /**
     * A countdown that has not begun.
     *
     * @param over what is done when the time is over, on the engine's executor
     */
    Countdown(TimeSource time, Runnable over) {
        this.time = time;
        this.over = over;
    }

    /** Begins, once. Does nothing if it has been stopped already. */
    void begin(long nanos) {
        setDue(time.nanoTime() + Math.min(Math.max(0, nanos), LONGEST_NANOS));
        time.timer().add(this);
        if (!phase.compareAndSet(Phase.BEGINNING, Phase.RUNNING)) {
            time.timer().remove(this);
        }
    }

    @Override
    public void ring(long now) {
        unset();
        try {
            time.executor().execute(this::end);
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
    boolean stop() {
        Phase before = phase.getAndSet(Phase.ENDED);
        if (before == Phase.RUNNING) {
            time.timer().remove(this);
        }
        return before != Phase.ENDED;
    }
}
