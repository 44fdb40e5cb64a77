package dev.recloser.http;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a call is to its client: something that runs, and that can be cancelled. A blocking call is interrupted, but only while it runs.
 * Fields are guarded by this object's lock.
 */
abstract class RunningCall {

    /** Cheaper than that of the JVM. */
    private final int hash = ThreadLocalRandom.current().nextInt();

    private @Nullable Thread thread;
    private @Nullable Runnable canceller;
    private boolean isInterrupted;
    private boolean hasEnded;
    private volatile boolean isCancelled;
    private volatile boolean isShutDown;

    /** The call is one that blocks this thread. */
    final void runsHere() {
        synchronized (this) {
            thread = Thread.currentThread();
        }
    }

    /** From now on the call is cancelled in this way; at once, if it has been cancelled. */
    final void cancelWith(Runnable way) {
        synchronized (this) {
            canceller = way;
        }
        if (isCancelled) {
            way.run();
        }
    }

    /** Cancels the call. Does nothing if it has ended. */
    final void cancel() {
        isCancelled = true;
        Runnable way;
        synchronized (this) {
            way = canceller;
            if (thread != null && !hasEnded) {
                isInterrupted = true;
                thread.interrupt();
            }
        }
        if (way != null) {
            way.run();
        }
    }

    /** Cancels the call because its client is shut down, which its caller is told. */
    final void shutDown() {
        isShutDown = true;
        cancel();
    }

    /** Before an attempt: whoever was to be told of the interrupt may have been in between. */
    final void requireNotCancelled() {
        if (isCancelled) {
            throw new CancellationException();
        }
    }

    /** The call has ended, on its own thread if it is one that blocks. No interrupt comes from here on. */
    final void ended() {
        boolean wasInterrupted;
        synchronized (this) {
            hasEnded = true;
            wasInterrupted = isInterrupted;
        }
        if (wasInterrupted) {
            Thread.interrupted();
        }
    }

    /** Whether the call ended in this error because its client was shut down. */
    final boolean isCutByShutdown(Throwable error) {
        return isShutDown && (error instanceof CancellationException || error instanceof InterruptedException);
    }

    @Override
    public final int hashCode() {
        return hash;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return this == other;
    }
}
