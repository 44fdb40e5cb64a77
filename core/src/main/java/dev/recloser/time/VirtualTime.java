package dev.recloser.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until it is {@linkplain #advance advanced}, for tests: what would take hours takes no time, and
 * happens in the same order every time.
 *
 * <p>{@link #advance} rings what becomes due on the calling thread, in the order of the due times, with the clock standing at
 * each of them in turn; whatever the engine runs because of it ({@link #executor}) runs there too, before {@code advance}
 * returns.
 *
 * <p>What {@link #sleep} does is chosen when the clock is made. With {@link #create()} a sleeper waits until another thread has
 * advanced the clock far enough. With {@link #selfAdvancing()} the sleeper advances the clock itself, which lets a single thread
 * play a whole scenario: work that "takes" six seconds sleeps for them, and is interrupted by a timeout after one.
 *
 * <p>Thread-safe.
 */
public final class VirtualTime implements TimeSource {

    private static final Instant DEFAULT_START = Instant.parse("2020-01-01T12:00:00Z");

    private final boolean selfAdvancing;
    private final long origin;
    private final Instant start;
    private final VirtualTimer timer = new VirtualTimer();
    private final Executor inline = new InlineExecutor();

    /** Guards {@link #now} and {@link #sleepers}. */
    private final Object lock = new Object();

    private long now;
    private int sleepers;

    private VirtualTime(boolean selfAdvancing, long origin, Instant start) {
        this.selfAdvancing = selfAdvancing;
        this.origin = origin;
        this.now = origin;
        this.start = start;
    }

    /** A clock at nanosecond 0, 2020-01-01T12:00:00Z on the wall, on which a sleeper waits for others to advance it. */
    public static VirtualTime create() {
        return new VirtualTime(false, 0, DEFAULT_START);
    }

    /** The same, on which a sleeper advances the clock itself. */
    public static VirtualTime selfAdvancing() {
        return new VirtualTime(true, 0, DEFAULT_START);
    }

    /**
     * A clock like this one with another origin, such as one shortly before the monotonic clock overflows.
     *
     * @param nanoTime what {@link #nanoTime} is to read at the start
     */
    public VirtualTime startingAt(long nanoTime) {
        return new VirtualTime(selfAdvancing, nanoTime, start);
    }

    @Override
    public long nanoTime() {
        synchronized (lock) {
            return now;
        }
    }

    @Override
    public Instant instant() {
        return start.plus(elapsed());
    }

    /** How far the clock has been advanced since the start. */
    public Duration elapsed() {
        return Duration.ofNanos(nanoTime() - origin);
    }

    /**
     * Advances the clock and rings what becomes due on the way.
     *
     * @param by how far; not negative
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time does not run backwards: " + by);
        }
        advanceTo(nanoTime() + by.toNanos());
    }

    /** How many threads wait in {@link #sleep} for the clock to be advanced. */
    public int sleepers() {
        synchronized (lock) {
            return sleepers;
        }
    }

    /**
     * How many alarms are being watched: nothing that has ended may leave one behind. A circuit breaker has one for up to half a second
     * after successes that were less than a millisecond apart, but not at the same moment.
     */
    public int pendingAlarms() {
        return timer.size();
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
        long until = nanoTime() + Math.max(0, nanos);
        if (selfAdvancing) {
            sleepByAdvancing(until);
        } else {
            sleepUntilAdvanced(until);
        }
    }

    @Override
    public boolean await(CountDownLatch latch, long nanos) throws InterruptedException {
        if (nanos == Long.MAX_VALUE) {
            latch.await();
            return true;
        }
        if (selfAdvancing) {
            return awaitByAdvancing(latch, nanoTime() + nanos);
        }
        TimeIsUp timeIsUp = new TimeIsUp(latch);
        timeIsUp.setDue(nanoTime() + nanos);
        timer.add(timeIsUp);
        try {
            latch.await();
        } finally {
            timer.remove(timeIsUp);
        }
        return !timeIsUp.rang;
    }

    private boolean awaitByAdvancing(CountDownLatch latch, long until) throws InterruptedException {
        boolean arrived = false;
        while (!arrived && latch.getCount() > 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            arrived = advanceOneStep(until);
        }
        return latch.getCount() == 0;
    }

    /** Opens the latch that a thread waits for. */
    private static final class TimeIsUp extends Alarm {

        private final CountDownLatch latch;
        private volatile boolean rang;

        TimeIsUp(CountDownLatch latch) {
            this.latch = latch;
        }

        @Override
        public void ring(long now) {
            unset();
            rang = latch.getCount() > 0;
            latch.countDown();
        }
    }

    private void sleepByAdvancing(long until) throws InterruptedException {
        boolean arrived = false;
        while (!arrived) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            arrived = advanceOneStep(until);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private void sleepUntilAdvanced(long until) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (lock) {
            sleepers++;
            lock.notifyAll();
            try {
                while (now - until < 0) {
                    lock.wait();
                }
            } finally {
                sleepers--;
            }
        }
    }

    private void advanceTo(long target) {
        boolean arrived = false;
        while (!arrived) {
            arrived = advanceOneStep(target);
        }
    }

    /** Moves to the next due time, or to the target if there is none before it; true when the target was reached. */
    private boolean advanceOneStep(long target) {
        Alarm next = timer.earliest(target);
        if (next == null) {
            moveTo(target);
            return true;
        }
        long due = next.due();
        if (due - target <= 0) {
            moveTo(due);
            InlineExecutor.apart(() -> next.ring(nanoTime()));
        }
        // Else its owner has moved it since it was found.
        return false;
    }

    private void moveTo(long target) {
        synchronized (lock) {
            if (target - now > 0) {
                now = target;
            }
            lock.notifyAll();
        }
    }

    @Override
    public Timer timer() {
        return timer;
    }

    /**
     * Runs each task on the thread that hands it over, before it goes on; a task that is handed over by another one when that has
     * ended, so that any number of them fits the stack.
     */
    @Override
    public Executor executor() {
        return inline;
    }

    /** Real threads: a caller that waits for its work needs another thread to do it. */
    @Override
    public Executor workers() {
        return TimeSource.system().executor();
    }

    /** The naive timer: a list that is searched. */
    private final class VirtualTimer implements Timer {

        private final List<Alarm> alarms = new ArrayList<>();

        @Override
        public void add(Alarm alarm) {
            synchronized (this) {
                alarms.add(alarm);
            }
            moved(alarm);
        }

        /** Every step searches the list anew, so there is nothing to do but for an alarm that is due already: no step may come for it. */
        @Override
        public void moved(Alarm alarm) {
            long time = nanoTime();
            if (alarm.isSet() && alarm.due() - time <= 0) {
                alarm.ring(time);
            }
        }

        @Override
        public synchronized void remove(Alarm alarm) {
            alarms.remove(alarm);
        }

        synchronized int size() {
            return alarms.size();
        }

        /** The alarm that is due first and not after the given time; of several, the one added first. */
        synchronized @Nullable Alarm earliest(long notAfter) {
            Alarm earliest = null;
            for (Alarm alarm : alarms) {
                boolean candidate = alarm.isSet() && alarm.due() - notAfter <= 0;
                if (candidate && (earliest == null || alarm.due() - earliest.due() < 0)) {
                    earliest = alarm;
                }
            }
            return earliest;
        }
    }
}
