package dev.recloser.time;

import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The one class that reads the system's clocks. */
final class SystemTime implements TimeSource {

    static final SystemTime INSTANCE = new SystemTime();

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant instant() {
        return Instant.now();
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        TimeUnit.NANOSECONDS.sleep(nanos);
    }

    @Override
    public Timer timer() {
        return TimerHolder.TIMER;
    }

    @Override
    public Executor executor() {
        return ExecutorHolder.EXECUTOR;
    }

    /** Made by the first who needs it, not by the first who reads the clock. */
    private static final class ExecutorHolder {
        static final Executor EXECUTOR = EngineExecutor.create();
    }

    /** As above. */
    private static final class TimerHolder {
        static final SlotTimer TIMER = SlotTimer.start(INSTANCE);
    }
}
