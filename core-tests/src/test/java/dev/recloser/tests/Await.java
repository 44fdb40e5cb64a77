package dev.recloser.tests;

import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do, and not for ever. */
public final class Await {

    private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int SPINS = 1000;

    private Await() {}

    /** Waits as work does that reacts to nothing but an interrupt. */
    public static void interrupt() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** Returns as soon as the condition holds; fails if that takes longer than a minute. */
    @SuppressWarnings(
            "ThreadPriorityCheck") // nothing relies on it; it saves time where another process has the other core
    public static void until(BooleanSupplier condition) {
        long start = TimeSource.system().nanoTime();
        for (int spins = 0; !condition.getAsBoolean(); spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else if (TimeSource.system().nanoTime() - start < PATIENCE_NANOS) {
                Thread.yield();
            } else {
                throw new AssertionError("it did not come to pass within a minute");
            }
        }
    }
}
