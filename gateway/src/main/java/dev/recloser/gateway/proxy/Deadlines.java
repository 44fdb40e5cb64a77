package dev.recloser.gateway.proxy;

import dev.recloser.time.TimeSource;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * All deadlines of one event loop, and the one task that watches them. The task is scheduled for the earliest deadline that there
 * was when it was scheduled. Most are cancelled before; then it finds nothing due and is scheduled again for the earliest that
 * there is. So a request costs no timer, only two links in a {@link DeadlineList}.
 */
final class Deadlines implements Runnable {

    private static final Duration LONGEST = Duration.ofDays(365);

    private final EventExecutor executor;
    private final TimeSource time;
    private final Runnable afterwards;
    private final Consumer<Throwable> faults;
    private final List<DeadlineList> lists = new ArrayList<>();
    private boolean scheduled;
    private long scheduledAt;

    /**
     * Deadlines of one event loop.
     *
     * @param afterwards what to do after deadlines have expired
     * @param faults is told what went wrong in one of them
     */
    Deadlines(EventExecutor executor, TimeSource time, Runnable afterwards, Consumer<Throwable> faults) {
        this.executor = executor;
        this.time = time;
        this.afterwards = afterwards;
        this.faults = faults;
    }

    /** The list for deadlines of this length, to be used until it is {@linkplain #leave left}. */
    DeadlineList after(Duration length) {
        long nanos = (length.compareTo(LONGEST) > 0 ? LONGEST : length).toNanos();
        for (DeadlineList list : lists) {
            if (list.lengthNanos == nanos) {
                list.users++;
                return list;
            }
        }
        DeadlineList list = new DeadlineList(this, nanos);
        lists.add(list);
        return list;
    }

    /**
     * A list is no longer used by one of those who use it. When all have left it, it goes as soon as it is empty, and comes back for as long
     * as there are deadlines in it nevertheless.
     */
    void leave(DeadlineList list) {
        list.users--;
        dropUnused();
    }

    private void dropUnused() {
        lists.removeIf(list -> list.users == 0 && list.first() == null);
    }

    /** How many lists are watched. */
    int size() {
        return lists.size();
    }

    long now() {
        return time.nanoTime();
    }

    /** A list that was empty has a first deadline now. */
    void first(DeadlineList list, long atNanos) {
        if (list.users == 0 && !lists.contains(list)) {
            lists.add(list);
        }
        first(atNanos);
    }

    private void first(long atNanos) {
        if (!scheduled || atNanos - scheduledAt < 0) {
            schedule(atNanos);
        }
    }

    private void schedule(long atNanos) {
        scheduled = true;
        scheduledAt = atNanos;
        var unused = executor.schedule(this, Math.max(0, atNanos - now()), TimeUnit.NANOSECONDS);
    }

    @Override
    public void run() {
        long now = now();
        if (!scheduled || scheduledAt - now > 0) {
            return; // an earlier one has been scheduled meanwhile, and has done this one's work
        }
        scheduled = false;
        for (int i = 0; i < lists.size(); i++) {
            expire(lists.get(i), now);
        }
        dropUnused();
        scheduleEarliest();
        afterwards.run();
    }

    private void expire(DeadlineList list, long now) {
        for (Deadline first = list.first(); first != null && first.atNanos - now <= 0; first = list.first()) {
            list.remove(first);
            expire(first);
        }
    }

    /** A fault in one of them is no reason for the others not to come. */
    private void expire(Deadline due) {
        try {
            due.expired();
        } catch (RuntimeException | Error e) {
            faults.accept(e);
        }
    }

    private void scheduleEarliest() {
        for (DeadlineList list : lists) {
            Deadline first = list.first();
            if (first != null) {
                first(first.atNanos);
            }
        }
    }
}
