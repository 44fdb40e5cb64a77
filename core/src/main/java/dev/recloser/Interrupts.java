package dev.recloser;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The interrupts that timeouts have sent and not yet taken back, by thread. A thread has one flag for all interrupts, so whoever
 * clears it must know whose it was: a timeout takes back its own, and leaves that of another pipeline further out, whose call is
 * still running, and one that came from outside before it. One that comes from outside <em>after</em> a timeout has fired cannot be
 * told from it, and is taken back with it.
 *
 * <p>Only calls that were cut come here.
 */
final class Interrupts {

    private static final ConcurrentHashMap<Thread, Sent> SENT = new ConcurrentHashMap<>();

    private Interrupts() {}

    /** What was sent to one thread. Changed under the map's lock for that thread. */
    private static final class Sent {
        final List<BlockingExecution> senders = new ArrayList<>(1);
        boolean alsoFromOutside;
    }

    /** Whether an interrupt was sent to a thread that was not taken back. */
    static boolean isPending(Thread thread) {
        return SENT.containsKey(thread);
    }

    /** Interrupts the thread of a call that is cut. */
    static void send(BlockingExecution sender, Thread thread) {
        SENT.compute(thread, (key, before) -> {
            Sent sent = before;
            if (sent == null) {
                sent = new Sent();
                sent.alsoFromOutside = thread.isInterrupted();
            }
            sent.senders.add(sender);
            return sent;
        });
        thread.interrupt();
    }

    /** Takes back the interrupt of a call that has left its deadline, on its own thread. */
    static void takeBack(BlockingExecution sender) {
        Thread thread = Thread.currentThread();
        SENT.compute(thread, (key, sent) -> takeBack(sender, thread, sent));
    }

    private static @Nullable Sent takeBack(BlockingExecution sender, Thread thread, @Nullable Sent sent) {
        Thread.interrupted();
        if (sent == null) {
            return null;
        }
        // One that was cut by a timeout and then by a race that another attempt won has sent two.
        sent.senders.removeIf(each -> each == sender);
        if (!sent.senders.isEmpty() || sent.alsoFromOutside) {
            thread.interrupt();
        }
        return sent.senders.isEmpty() ? null : sent;
    }
}
