package dev.recloser.gateway.proxy;

import dev.recloser.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * What one event loop has written and not flushed. Whoever writes says so here. What was written because something had been read goes out
 * when the loop has gone through everything that was ready ({@link #soon}); every other event that comes from outside (a connection was made
 * or lost, a deadline has expired) ends with {@link #now}.
 *
 * <p>So all that is for one connection goes out in one system call, and those calls follow each other closely: a peer that the first has
 * woken finds what the others bring, and need not be woken for each of them, which costs the gateway more than the call itself.
 */
final class Flushes {

    private final Executor eventLoop;
    private final TimeSource time;
    private final List<Outlet> outlets = new ArrayList<>();
    private final List<Measured> measured = new ArrayList<>();
    private final Runnable task = this::run;
    private boolean scheduled;
    private int bytes;

    /**
     * Nothing to be flushed.
     *
     * @param eventLoop runs a task when it has gone through everything that was ready
     */
    Flushes(Executor eventLoop, TimeSource time) {
        this.eventLoop = eventLoop;
        this.time = time;
    }

    /** This is to be flushed. */
    void add(Outlet outlet) {
        outlets.add(outlet);
    }

    /** A piece of a body waits in an outlet; how much there is in all counts. */
    void addPiece(int length) {
        bytes += length;
    }

    /** A request whose answer is flushed next, and which is told the time then. */
    void add(Measured request) {
        measured.add(request);
    }

    /** A connection has been read, and others may be ready to be. What has been written is flushed after them, or now if it is much. */
    void soon() {
        if (bytes >= Limits.UNFLUSHED_BYTES) {
            now();
        } else if (!scheduled && !(outlets.isEmpty() && measured.isEmpty())) {
            scheduled = true;
            eventLoop.execute(task);
        }
    }

    private void run() {
        scheduled = false;
        now();
    }

    /** Flushes what has been written. What flushing sets off may write more, so the lists may grow meanwhile. */
    void now() {
        bytes = 0;
        for (int i = 0; i < outlets.size(); i++) {
            outlets.get(i).flush();
        }
        outlets.clear();
        if (!measured.isEmpty()) {
            long now = time.nanoTime();
            for (int i = 0; i < measured.size(); i++) {
                measured.get(i).flushed(now);
            }
            measured.clear();
        }
    }
}
