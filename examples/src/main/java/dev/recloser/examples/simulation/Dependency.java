package dev.recloser.examples.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * A service that can do so many things at a time, and has a queue before it. Nobody tells it that a caller has left: abandoned work is
 * done all the same, which is how an overloaded service comes to do nothing of use.
 */
public final class Dependency {

    /** Says no to a call for which there is no place in the queue. */
    public static final class OverloadedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        OverloadedException() {
            super("the queue is full", null, false, false);
        }
    }

    /** Says no to every call, because the service is down. */
    public static final class DownException extends RuntimeException {

        private static final long serialVersionUID = 1;

        DownException() {
            super("the service is down", null, false, false);
        }
    }

    private final EventQueue events;
    private final int queueCapacity;
    private final LongSupplier serviceNanos;
    private final Deque<CompletableFuture<String>> queue = new ArrayDeque<>();
    private int servers;
    private int busy;
    private int mostInside;
    private long called;
    private long served;
    private boolean isDown;

    /**
     * A service that is idle.
     *
     * @param servers how many calls it serves at a time
     * @param queueCapacity how many more wait; beyond that it fails at once
     * @param serviceNanos how long it works for each call
     */
    public Dependency(EventQueue events, int servers, int queueCapacity, LongSupplier serviceNanos) {
        this.events = events;
        this.servers = servers;
        this.queueCapacity = queueCapacity;
        this.serviceNanos = serviceNanos;
    }

    /** Times that are spread exponentially, which is as uneven as unrelated things are. */
    public static LongSupplier exponential(long meanNanos, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return () -> (long) (-meanNanos * Math.log(1 - random.nextDouble()));
    }

    /** Asks the service for something. */
    public CompletableFuture<String> call() {
        called++;
        CompletableFuture<String> answer = new CompletableFuture<>();
        if (isDown) {
            answer.completeExceptionally(new DownException());
        } else if (busy < servers) {
            serve(answer);
        } else if (queue.size() < queueCapacity) {
            queue.add(answer);
        } else {
            answer.completeExceptionally(new OverloadedException());
        }
        mostInside = Math.max(mostInside, busy + queue.size());
        return answer;
    }

    private void serve(CompletableFuture<String> answer) {
        busy++;
        events.after(serviceNanos.getAsLong(), () -> {
            busy--;
            served++;
            while (busy < servers && !queue.isEmpty()) {
                serve(queue.remove());
            }
            answer.complete("answer");
        });
    }

    /** From now on it serves so many calls at a time; those that are being served go on. */
    public void servers(int count) {
        servers = count;
        while (busy < servers && !queue.isEmpty()) {
            serve(queue.remove());
        }
    }

    /** Every call fails at once from now on, or none does any more. What it is working on already is finished. */
    public void down(boolean now) {
        isDown = now;
    }

    /** How many calls have reached it. */
    public long called() {
        return called;
    }

    /** How many calls are served or wait at this moment. */
    public int inside() {
        return busy + queue.size();
    }

    /** As many as were ever served or waiting at the same time. */
    public int mostInside() {
        return mostInside;
    }

    /** How many calls it has done, for whomever. */
    public long served() {
        return served;
    }
}
