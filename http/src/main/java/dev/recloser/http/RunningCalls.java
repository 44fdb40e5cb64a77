package dev.recloser.http;

import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The calls of a client that are under way, and its end: after a shutdown no call begins, and those under way run to theirs, with their
 * retries. So the transport, if it is the client's own, is shut down after the last of them.
 */
final class RunningCalls {

    private static final Logger LOG = System.getLogger("dev.recloser.http");

    private final String client;
    private final HttpClient transport;
    private final boolean isOwnTransport;
    private final Set<RunningCall> calls = ConcurrentHashMap.newKeySet();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile boolean isShutDown;

    RunningCalls(String client, HttpClient transport, boolean isOwnTransport) {
        this.client = client;
        this.transport = transport;
        this.isOwnTransport = isOwnTransport;
    }

    /**
     * A call begins.
     *
     * @throws IOException when the client has been shut down
     */
    void begin(RunningCall call) throws IOException {
        calls.add(call);
        // In this order: either this sees the shutdown, or the shutdown sees the call.
        if (isShutDown) {
            end(call);
            throw new IOException(client + " has been shut down");
        }
    }

    void end(RunningCall call) {
        calls.remove(call);
        endIfIdle();
    }

    private void endIfIdle() {
        if (isShutDown && calls.isEmpty() && isOver.compareAndSet(false, true)) {
            if (isOwnTransport) {
                TransportShutdown.shutdown(transport);
            }
            over.countDown();
        }
    }

    void shutdown() {
        isShutDown = true;
        endIfIdle();
    }

    void shutdownNow() {
        isShutDown = true;
        calls.forEach(RunningCalls::shutDown);
        if (isOwnTransport) {
            TransportShutdown.shutdownNow(transport);
        }
        endIfIdle();
    }

    /** What a subscriber of the caller's throws when it is told must not keep the other calls from being cancelled. */
    private static void shutDown(RunningCall call) {
        try {
            call.shutDown();
        } catch (Throwable bug) {
            LOG.log(Logger.Level.WARNING, "a subscriber threw when its request was cancelled", bug);
        }
    }

    boolean isTerminated() {
        return over.getCount() == 0 && (!isOwnTransport || TransportShutdown.isTerminated(transport));
    }

    boolean awaitTermination(Duration longest) throws InterruptedException {
        TimeSource time = TimeSource.system();
        long start = time.nanoTime();
        long nanos = TimeUnit.NANOSECONDS.convert(longest);
        if (!over.await(nanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        Duration rest = Duration.ofNanos(Math.max(1, nanos - (time.nanoTime() - start)));
        return !isOwnTransport || TransportShutdown.awaitTermination(transport, rest);
    }

    /** As the JDK's clients do: waits for as long as it takes, and cancels what is under way if it is interrupted. */
    void close() {
        shutdown();
        boolean isTerminated = isTerminated();
        boolean isInterrupted = false;
        while (!isTerminated) {
            try {
                isTerminated = awaitTermination(Duration.ofDays(1));
            } catch (InterruptedException interrupt) {
                if (!isInterrupted) {
                    isInterrupted = true;
                    shutdownNow();
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
