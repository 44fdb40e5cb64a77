package dev.recloser.gateway.proxy;

import dev.recloser.time.TimeSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop has written and not flushed. Whoever writes says so here. What was written because something had been read goes out
 * when the loop has gone through everything that was ready ({@link #soon}); every other event that comes from outside (a connection was made
 * or lost, a deadline has expired) ends with {@link #now}, which flushes everything.
 *
 * <p>So what is for one connection goes out in one system call, and those calls follow each other closely: a peer that the first has woken
 * finds what the others bring, and need not be woken for each of them, which costs the gateway more than the call itself.
 */
final class Flushes {

    private final Executor eventLoop;
    private final TimeSource time;
    private final Consumer<Throwable> faults;
    private final Queue<Outlet> written = new ArrayDeque<>();
    private final Queue<Outlet> pushed = new ArrayDeque<>();
    private final Queue<Awaiter> awaiters = new ArrayDeque<>();
    private final Runnable task = this::run;
    private boolean scheduled;
    private int bytes;

    /** Somebody who is told when everything that was written has been flushed. */
    interface Awaiter {

        void flushed(long now);
    }

    /**
     * Nothing to be flushed.
     *
     * @param eventLoop runs a task when it has gone through everything that was ready
     * @param faults is told what went wrong in an outlet or with who waited for it
     */
    Flushes(Executor eventLoop, TimeSource time, Consumer<Throwable> faults) {
        this.eventLoop = eventLoop;
        this.time = time;
        this.faults = faults;
    }

    /** This is to be flushed. */
    void add(Outlet outlet) {
        written.add(outlet);
    }

    /** A piece of a body was written that has so many bytes. */
    void addPiece(int length) {
        bytes += length;
    }

    /** This is told once, after the next flush. */
    void add(Awaiter awaiter) {
        awaiters.add(awaiter);
    }

    /** A connection has been read, and others may be ready to be. What has been written is flushed after them, or now if it is much. */
    void soon() {
        int count = written.size() + awaiters.size();
        if (bytes >= Limits.UNFLUSHED_BYTES || count >= Limits.UNFLUSHED) {
            now();
        } else if (!scheduled && count > 0) {
            scheduled = true;
            eventLoop.execute(task);
        }
    }

    private void run() {
        scheduled = false;
        now();
    }

    /** Flushes what has been written. What flushing sets off may write more, and may come back here. */
    void now() {
        bytes = 0;
        while (!written.isEmpty() || !pushed.isEmpty() || !awaiters.isEmpty()) {
            try {
                flushAll();
                tellAll();
            } catch (RuntimeException | Error e) { // it is off the list, and the others have nothing to do with it
                faults.accept(e);
            }
        }
    }

    private void flushAll() {
        for (Outlet next = next(); next != null; next = next()) {
            next.flush();
        }
    }

    /** The next to be flushed. All have pushed what they have by then, since several may share a connection. */
    private @Nullable Outlet next() {
        for (Outlet next = written.poll(); next != null; next = written.poll()) {
            next.push();
            pushed.add(next);
        }
        return pushed.poll();
    }

    private void tellAll() {
        long now = awaiters.isEmpty() ? 0 : time.nanoTime();
        for (Awaiter next = awaiters.poll(); next != null; next = awaiters.poll()) {
            next.flushed(now);
        }
    }
}
