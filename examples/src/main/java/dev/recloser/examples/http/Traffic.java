package dev.recloser.examples.http;

import dev.recloser.CircuitOpenException;
import dev.recloser.LimitReachedException;
import dev.recloser.RejectedException;
import dev.recloser.http.RequestRejectedException;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * Calls at a given rate, whatever becomes of those before: callers do not wait for each other. Not thread-safe, but for the counts.
 */
final class Traffic implements AutoCloseable {

    private static final long SECOND = 1_000_000_000;

    private final TimeSource time = TimeSource.system();
    private final HttpClient client;
    private final HttpRequest request;
    private final ExecutorService callers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        return thread;
    });
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder rejectedByCircuit = new LongAdder();
    private final LongAdder rejectedByLimiter = new LongAdder();
    private long offered;
    private long due = time.nanoTime();

    Traffic(HttpClient client, HttpRequest request) {
        this.client = client;
        this.request = request;
    }

    /** Makes the calls that are due until then, each when it is due. */
    void until(long end, int callsPerSecond) throws InterruptedException {
        for (; due - end < 0; due += SECOND / callsPerSecond) {
            time.sleep(due - time.nanoTime());
            offered++;
            callers.execute(this::call);
        }
        time.sleep(end - time.nanoTime());
    }

    private void call() {
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            (response.statusCode() == 200 ? answered : failed).increment();
        } catch (RequestRejectedException e) {
            rejection(e.rejection()).increment();
        } catch (IOException e) {
            failed.increment();
        } catch (InterruptedException e) {
            // The run is over.
        }
    }

    private LongAdder rejection(RejectedException rejection) {
        if (rejection instanceof CircuitOpenException) {
            return rejectedByCircuit;
        }
        return rejection instanceof LimitReachedException ? rejectedByLimiter : failed;
    }

    /** How many calls were made so far. */
    long offered() {
        return offered;
    }

    /** How many were answered with 200. */
    long answered() {
        return answered.sum();
    }

    /** How many were answered otherwise, or failed. */
    long failed() {
        return failed.sum();
    }

    /** How many the circuit rejected. */
    long rejectedByCircuit() {
        return rejectedByCircuit.sum();
    }

    /** How many the limiter rejected. */
    long rejectedByLimiter() {
        return rejectedByLimiter.sum();
    }

    /** Cuts the calls that still run. */
    @Override
    public void close() {
        callers.shutdownNow();
    }
}
