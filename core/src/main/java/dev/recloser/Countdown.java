package dev.recloser;

import dev.recloser.time.Alarm;
import dev.recloser.time.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Does something after a time, unless it is stopped first. The time may be over, or somebody may stop it, while it is still being
 * given to the timer; whoever comes second then takes it from the timer again.
 */
final class Countdown extends Alarm {

    /** After how long the executor is asked again if it had no thread. */
    static final long TRY_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

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
     * @param due when it is over
     * @param over what is done then, on the engine's executor
     */
    Countdown(TimeSource time, long due, Runnable over) {
        this.time = time;
        this.over = over;
        setDue(due);
    }

    void begin() {
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
     * Ends it.
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
