package dev.recloser.gateway.cli;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the process to be told to end, by SIGTERM or Ctrl-C, and lets it end as if it had come to its end by itself: with exit
 * code 0, once whatever is to be done before is done.
 *
 * <p>The JDK answers such a signal by running its shutdown hooks, and ends with another code when they return. So the hook here only
 * wakes the one who waits, stays until that one is done, and then halts.
 */
final class StopSignal implements AutoCloseable {

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "recloser-stop");

    private final @Nullable Thread interrupted;

    private StopSignal(@Nullable Thread interrupted) {
        this.interrupted = interrupted;
    }

    /** For one who {@linkplain #await waits} for it. */
    static StopSignal install() {
        return install(null);
    }

    /** For one who does something else meanwhile, and is interrupted in it. */
    static StopSignal interrupting(Thread thread) {
        return install(thread);
    }

    private static StopSignal install(@Nullable Thread interrupted) {
        StopSignal signal = new StopSignal(interrupted);
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    /** Returns when the process was told to end, or this thread was interrupted. */
    void await() {
        try {
            asked.await();
        } catch (InterruptedException e) {
            asked.countDown();
        }
    }

    /** Whether the process was told to end. */
    boolean isAsked() {
        return asked.getCount() == 0;
    }

    private void stop() {
        asked.countDown();
        if (interrupted != null) {
            interrupted.interrupt();
        }
        boolean waiting = true;
        while (waiting) {
            try {
                done.await();
                waiting = false;
            } catch (InterruptedException e) {
                // Nobody has a reason to interrupt this thread, and what is being done is bounded.
            }
        }
        Runtime.getRuntime().halt(0);
    }

    /** Everything is done: the process may end. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, and the hook waits for this.
        }
        done.countDown();
    }
}
