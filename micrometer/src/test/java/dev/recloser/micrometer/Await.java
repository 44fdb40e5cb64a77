package dev.recloser.micrometer;

import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do, and not for ever. */
final class Await {

    private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();

    private Await() {}

    /** Returns as soon as the condition holds; fails if that takes longer than a minute. */
    @SuppressWarnings(
            "ThreadPriorityCheck") // nothing relies on it; it saves time where another process has the other core
    static void until(BooleanSupplier condition) {
        long start = TimeSource.system().nanoTime();
        while (!condition.getAsBoolean()) {
            if (TimeSource.system().nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("it did not come to pass within a minute");
            }
            Thread.yield();
        }
    }
}
