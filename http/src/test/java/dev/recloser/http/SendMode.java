package dev.recloser.http;

import dev.recloser.testing.CallMode;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The ways in which a request is sent. */
enum SendMode {
    /** {@code send} on a thread of the operating system. */
    BLOCKING,
    /** {@code send} on a virtual thread, where the JDK has them. */
    VIRTUAL,
    /** {@code sendAsync}. */
    ASYNC;

    private static final long PATIENCE_SECONDS = 30;

    /** A request under way, as far as the modes have something in common. */
    record Sent<T>(CompletableFuture<HttpResponse<T>> future, Runnable cancelling) {

        /** Cancels the future, or interrupts the thread. */
        void cancel() {
            cancelling.run();
        }

        HttpResponse<T> get() {
            try {
                return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException error) {
                throw new AssertionError("there is no response", error);
            }
        }

        /** What it ended in; fails if that was a response. */
        Throwable error() {
            try {
                throw new AssertionError("there was a response: " + future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            } catch (ExecutionException failed) {
                return failed.getCause();
            } catch (CancellationException cancelled) {
                return cancelled;
            } catch (InterruptedException | TimeoutException error) {
                throw new AssertionError("there is no end", error);
            }
        }
    }

    static List<SendMode> available() {
        boolean virtual = CallMode.available().contains(CallMode.VIRTUAL_THREAD);
        return Arrays.stream(values())
                .filter(mode -> mode != VIRTUAL || virtual)
                .toList();
    }

    <T> Sent<T> start(HttpClient client, HttpRequest request, BodyHandler<T> handler) {
        if (this == ASYNC) {
            CompletableFuture<HttpResponse<T>> future = client.sendAsync(request, handler);
            return new Sent<>(future, () -> future.cancel(true));
        }
        CompletableFuture<HttpResponse<T>> future = new CompletableFuture<>();
        Thread thread = thread(() -> {
            try {
                future.complete(client.send(request, handler));
            } catch (IOException | InterruptedException | RuntimeException | Error error) {
                future.completeExceptionally(error);
            }
        });
        return new Sent<>(future, thread::interrupt);
    }

    private Thread thread(Runnable task) {
        if (this == VIRTUAL) {
            return startVirtual(task);
        }
        Thread thread = new Thread(task, "sender");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static Thread startVirtual(Runnable task) {
        try {
            return (Thread) MethodHandles.publicLookup()
                    .findStatic(Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class))
                    .invokeExact(task);
        } catch (Throwable error) {
            throw new AssertionError(error);
        }
    }

    /** Sends, and waits for the response. */
    <T> HttpResponse<T> send(HttpClient client, HttpRequest request, BodyHandler<T> handler) {
        return start(client, request, handler).get();
    }
}
