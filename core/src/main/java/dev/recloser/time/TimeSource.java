package dev.recloser.time;

import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Everything that the engine knows of time: a monotonic clock, a wall clock for display, a timer, a way to wait, and the
 * executor on which whatever becomes due is run.
 *
 * <p>Strategies and drivers are handed a time source and never look at a clock of their own, so that with a
 * {@link VirtualTime} a test decides when a second has passed. Implementations are thread-safe.
 */
public interface TimeSource {

    /** The clock, timer and executor of this process. */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }

    /**
     * The monotonic clock, in nanoseconds from an arbitrary origin. As with {@link System#nanoTime()} only differences
     * mean anything, and they must be compared as {@code a - b < 0}.
     */
    long nanoTime();

    /** The wall clock. Only for display: no decision depends on it. */
    Instant instant();

    /**
     * Waits on the calling thread.
     *
     * @param nanos how long, in nanoseconds; nothing is waited for when zero or negative
     * @throws InterruptedException when the thread is interrupted before or while it waits
     */
    void sleep(long nanos) throws InterruptedException;

    /**
     * Waits on the calling thread for others.
     *
     * @param latch what the others open
     * @param nanos how long at most, in nanoseconds
     * @return whether the latch is open
     * @throws InterruptedException when the thread is interrupted before or while it waits
     */
    default boolean await(CountDownLatch latch, long nanos) throws InterruptedException {
        return latch.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Says when something is due. */
    Timer timer();

    /**
     * Runs what is due, and listeners. It grows as needed, so that one task that blocks holds up no other, and neither the
     * timer nor the common pool ever runs a task of the user's.
     */
    Executor executor();

    /** Runs blocking work of the user's that must not run on the thread of its caller. The {@linkplain #executor() executor}, unless that is none. */
    default Executor workers() {
        return executor();
    }
}
