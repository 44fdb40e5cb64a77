package dev.recloser.time;

import java.lang.System.Logger;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A timer for alarms of which nearly all are removed before they ring.
 *
 * <p>An alarm is put into any free slot of an array and taken out again: a compare-and-set and a store, with no order kept
 * and no thread woken. One thread looks through the slots when the earliest alarm that it saw becomes due, rings what is
 * due, and sleeps until the next. Calls that come and go between two looks are never seen by it: with a thousand calls a
 * second under a timeout of one second it looks about once a second.
 *
 * <p>The race between a sleeper and a newcomer is settled by {@link #wakeAt}: the newcomer first puts its alarm into a slot
 * and then reads {@code wakeAt}; the sleeper sets {@code wakeAt} to "wake me in any case" before it looks. So either the look
 * finds the alarm, or the newcomer wakes the thread.
 *
 * <p>A newcomer that had to wake the thread will be followed by others like it, often after having left itself. So that not
 * each of them has to, the thread then looks again for {@link #PATIENCE} at least as often as the shortest wait that it was
 * woken for.
 */
final class SlotTimer implements Timer, Runnable {

    private static final Logger LOG = System.getLogger("dev.recloser.time");
    private static final int FIRST_SEGMENT = 64;
    private static final int PROBES = 8;
    private static final int CHANCES = 4;
    private static final long LONGEST_LINGER = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_LINGER = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_AGAIN = TimeUnit.MICROSECONDS.toNanos(50);

    private final TimeSource time;
    private final Thread thread;

    /** Grows, when it is full, by a segment as large as all the others together; segments are never given up. */
    private volatile AtomicReferenceArray<@Nullable Alarm>[] segments;

    /** When the thread wakes by itself; meaningless while {@link #wakeAnyway}. */
    private volatile long wakeAt;

    /** The thread is looking, or sleeps for good: whoever adds an alarm must wake it. */
    private volatile boolean wakeAnyway = true;

    /** The shortest wait for which the thread was woken lately, in nanoseconds. A hint: races on it are harmless. */
    private volatile long linger = LONGEST_LINGER;

    private SlotTimer(TimeSource time) {
        this.time = time;
        this.segments = append(newArray(0), FIRST_SEGMENT);
        this.thread = EngineExecutor.thread(this, "recloser-timer");
    }

    static SlotTimer start(TimeSource time) {
        SlotTimer timer = new SlotTimer(time);
        timer.thread.start();
        return timer;
    }

    @Override
    public void add(Alarm alarm) {
        while (!claimNear(alarm, spread(Thread.currentThread().getId())) && !claimAnywhere(alarm)) {
            grow();
        }
        wakeFor(alarm);
    }

    @Override
    public void moved(Alarm alarm) {
        VarHandle.fullFence();
        wakeFor(alarm);
    }

    /** Called when the thread, should it look from now on, sees the alarm and its due time. */
    private void wakeFor(Alarm alarm) {
        if (!alarm.isSet()) {
            return;
        }
        if (wakeAnyway || alarm.due() - wakeAt < 0) {
            long wait = alarm.due() - time.nanoTime();
            if (wait < linger) {
                linger = Math.max(wait, SHORTEST_LINGER);
            }
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void remove(Alarm alarm) {
        AtomicReferenceArray<@Nullable Alarm> segment = alarm.segment;
        if (segment != null) {
            alarm.segment = null;
            segment.setRelease(alarm.slot, null);
        }
    }

    /** Where this thread's alarm was before, most likely: no other thread writes there. */
    private boolean claimNear(Alarm alarm, int spread) {
        AtomicReferenceArray<@Nullable Alarm>[] all = segments;
        for (int s = all.length - 1; s >= 0; s--) {
            AtomicReferenceArray<@Nullable Alarm> segment = all[s];
            int mask = segment.length() - 1;
            for (int probe = 0; probe < PROBES; probe++) {
                int slot = (spread + probe) & mask;
                if (segment.getPlain(slot) == null && claim(alarm, segment, slot)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** One thread may hold many alarms, and find its own places taken: by chance, and then by looking everywhere. */
    private boolean claimAnywhere(Alarm alarm) {
        for (int i = 0; i < CHANCES; i++) {
            if (claimNear(alarm, ThreadLocalRandom.current().nextInt())) {
                return true;
            }
        }
        for (AtomicReferenceArray<@Nullable Alarm> segment : segments) {
            for (int slot = 0; slot < segment.length(); slot++) {
                if (segment.getPlain(slot) == null && claim(alarm, segment, slot)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean claim(Alarm alarm, AtomicReferenceArray<@Nullable Alarm> segment, int slot) {
        alarm.segment = segment;
        alarm.slot = slot;
        return segment.compareAndSet(slot, null, alarm);
    }

    /** Neighbouring thread numbers land a cache line of 16 references apart. */
    private static int spread(long threadId) {
        return (int) ((threadId << 4) + (threadId >>> 2));
    }

    /** Doubles the slots, unless another thread has done so since this one found them taken. */
    private synchronized void grow() {
        AtomicReferenceArray<@Nullable Alarm>[] all = segments;
        if (hasFree(all[all.length - 1])) {
            return;
        }
        segments = append(all, slots());
    }

    /** How many alarms there is room for. */
    int slots() {
        int total = 0;
        for (AtomicReferenceArray<@Nullable Alarm> segment : segments) {
            total += segment.length();
        }
        return total;
    }

    private static boolean hasFree(AtomicReferenceArray<@Nullable Alarm> segment) {
        for (int slot = 0; slot < segment.length(); slot++) {
            if (segment.getPlain(slot) == null) {
                return true;
            }
        }
        return false;
    }

    private static AtomicReferenceArray<@Nullable Alarm>[] append(
            AtomicReferenceArray<@Nullable Alarm>[] all, int length) {
        AtomicReferenceArray<@Nullable Alarm>[] more = newArray(all.length + 1);
        System.arraycopy(all, 0, more, 0, all.length);
        more[all.length] = new AtomicReferenceArray<>(length);
        return more;
    }

    @SuppressWarnings("unchecked") // an array of a generic type cannot be made otherwise
    private static AtomicReferenceArray<@Nullable Alarm>[] newArray(int length) {
        return (AtomicReferenceArray<@Nullable Alarm>[]) new AtomicReferenceArray<?>[length];
    }

    @Override
    public void run() {
        long lastWoken = time.nanoTime();
        while (true) {
            wakeAnyway = true;
            long now = time.nanoTime();
            long sleep = look(now);
            if (now - lastWoken < PATIENCE) {
                sleep = Math.min(sleep, linger);
            } else {
                linger = LONGEST_LINGER;
            }
            if (sleep == Long.MAX_VALUE) {
                LockSupport.park(this);
                lastWoken = time.nanoTime();
            } else {
                wakeAt = now + sleep;
                wakeAnyway = false;
                LockSupport.parkNanos(this, sleep);
                long woken = time.nanoTime();
                if (woken - wakeAt < 0) {
                    lastWoken = woken;
                }
            }
        }
    }

    /** Rings what is due, and returns how long it is until the next alarm, at most {@code Long.MAX_VALUE} for none. */
    private long look(long now) {
        long next = Long.MAX_VALUE;
        for (AtomicReferenceArray<@Nullable Alarm> segment : segments) {
            for (int slot = 0; slot < segment.length(); slot++) {
                Alarm alarm = segment.get(slot);
                if (alarm != null) {
                    next = Math.min(next, ringIfDue(alarm, now));
                }
            }
        }
        return next;
    }

    private static long ringIfDue(Alarm alarm, long now) {
        if (alarm.isSet() && alarm.due() - now <= 0) {
            try {
                alarm.ring(now);
            } catch (Throwable fault) {
                // Such as no thread for what follows. The others must ring all the same.
                LOG.log(Logger.Level.ERROR, "an alarm could not be followed up", fault);
            }
        }
        if (!alarm.isSet()) {
            return Long.MAX_VALUE;
        }
        return Math.max(alarm.due() - now, LOOK_AGAIN);
    }
}
