package dev.recloser.examples.simulation;

import dev.recloser.time.Alarm;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * What is still to happen in a simulation, in the order of time. To the clock it is one single alarm, so that events of the simulation and
 * the alarms of the pipelines in it happen in their common order. Not thread-safe: a simulation is one thread that advances the clock.
 */
public final class EventQueue {

    private final VirtualTime time;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::due).thenComparingLong(Event::number));
    private final Alarm alarm = new Alarm() {
        @Override
        public void ring(long now) {
            runNext(now);
        }
    };
    private long added;

    /** An event; those that are due at the same time happen in the order in which they were added. */
    private record Event(long due, long number, Runnable action) {}

    /** A queue on a clock that starts at zero. */
    public EventQueue(VirtualTime time) {
        this.time = time;
        time.timer().add(alarm);
    }

    /** The clock. */
    public VirtualTime time() {
        return time;
    }

    /** Lets the action happen after so many nanoseconds. */
    public void after(long nanos, Runnable action) {
        added++;
        events.add(new Event(time.nanoTime() + nanos, added, action));
        await();
    }

    /** Lets the action happen after a while. */
    public void after(Duration delay, Runnable action) {
        after(delay.toNanos(), action);
    }

    private void runNext(long now) {
        if (!events.isEmpty() && events.peek().due() <= now) {
            Runnable action = events.remove().action();
            await();
            action.run();
        } else {
            await();
        }
    }

    private void await() {
        if (events.isEmpty()) {
            alarm.unset();
        } else {
            alarm.setDue(events.peek().due());
        }
    }
}
