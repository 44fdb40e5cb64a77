package dev.recloser.tests.engine;

import dev.recloser.time.Alarm;
import dev.recloser.time.TimeSource;
import dev.recloser.time.Timer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A time that does what a real one may do and a virtual one does not: of alarms that are due at the same time it rings the one that was
 * added last first, its executor can hold tasks back, and it can refuse some.
 */
final class OddTime implements TimeSource {

    private final List<Alarm> alarms = Collections.synchronizedList(new ArrayList<>());
    private final Queue<Runnable> held = new ArrayDeque<>();
    private volatile long now;
    private boolean holds;
    private int refusals;

    void holdTasks() {
        holds = true;
    }

    void runHeldTasks() {
        holds = false;
        while (!held.isEmpty()) {
            held.remove().run();
        }
    }

    void refuseTasks(int count) {
        refusals = count;
    }

    void advance(long nanos) {
        long target = now + nanos;
        now = target;
        boolean rang = true;
        while (rang) {
            rang = false;
            List<Alarm> present = new ArrayList<>(alarms);
            Collections.reverse(present);
            for (Alarm alarm : present) {
                if (alarm.isSet() && alarm.due() <= target) {
                    alarm.ring(target);
                    rang = true;
                }
            }
        }
    }

    int pendingAlarms() {
        return alarms.size();
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(now);
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        advance(nanos);
    }

    @Override
    public Timer timer() {
        return new Timer() {
            @Override
            public void add(Alarm alarm) {
                alarms.add(alarm);
            }

            @Override
            public void moved(Alarm alarm) {
                // Each advance looks at all.
            }

            @Override
            public void remove(Alarm alarm) {
                alarms.remove(alarm);
            }
        };
    }

    @Override
    public Executor executor() {
        return task -> {
            if (refusals > 0) {
                refusals--;
                throw new RejectedExecutionException("no thread");
            }
            if (holds) {
                held.add(task);
            } else {
                task.run();
            }
        };
    }

    @Override
    public Executor workers() {
        return TimeSource.system().executor();
    }
}
