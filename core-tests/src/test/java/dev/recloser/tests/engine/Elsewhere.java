package dev.recloser.tests.engine;

import dev.recloser.time.TimeSource;
import dev.recloser.time.Timer;
import java.time.Instant;
import java.util.concurrent.Executor;

/** A time whose executors are somebody else's. */
record Elsewhere(TimeSource clock, Executor executor, Executor workers) implements TimeSource {

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public Instant instant() {
        return clock.instant();
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
        clock.sleep(nanos);
    }

    @Override
    public Timer timer() {
        return clock.timer();
    }
}
