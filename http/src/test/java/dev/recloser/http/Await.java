package dev.recloser.http;

import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do, and not for ever. */
final class Await {

    private static final long PAUSE_NANOS = 200_000;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

    private Await() {}

    /** Returns as soon as the condition holds; fails if that takes too long. */
    static void until(BooleanSupplier condition) {
        long start = TimeSource.system().nanoTime();
        while (!condition.getAsBoolean()) {
            if (TimeSource.system().nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("it did not come to pass");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
