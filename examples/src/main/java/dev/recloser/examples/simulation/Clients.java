package dev.recloser.examples.simulation;

import dev.recloser.RejectedException;
import dev.recloser.TimedOutException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Callers who come at a rate, whether or not those before them have been answered (an open loop), and what has become of them.
 */
public final class Clients {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** What can become of a call. */
    public enum Fate {
        /** A value. */
        ANSWERED,
        /** A rejection before it began. */
        REJECTED,
        /** A timeout. */
        TIMED_OUT,
        /** Another exception. */
        FAILED
    }

    private final EventQueue events;
    private final Supplier<CompletableFuture<String>> call;
    private final @Nullable SplittableRandom random;
    private final Tally tally = new Tally();
    private double perSecond;
    private long calls;

    private Clients(EventQueue events, @Nullable SplittableRandom random, Supplier<CompletableFuture<String>> call) {
        this.events = events;
        this.random = random;
        this.call = call;
    }

    /** Callers who come at equal intervals. */
    public static Clients regular(EventQueue events, double perSecond, Supplier<CompletableFuture<String>> call) {
        return new Clients(events, null, call).start(perSecond);
    }

    /** Callers who know nothing of each other: the intervals are spread exponentially. */
    public static Clients poisson(
            EventQueue events, double perSecond, long seed, Supplier<CompletableFuture<String>> call) {
        return new Clients(events, new SplittableRandom(seed), call).start(perSecond);
    }

    private Clients start(double rate) {
        perSecond = rate;
        events.after(gap(), this::arrive);
        return this;
    }

    /** From the next caller on they come at this rate. */
    public void perSecond(double rate) {
        perSecond = rate;
    }

    private long gap() {
        double mean = NANOS_PER_SECOND / perSecond;
        return (long) (random == null ? mean : -mean * Math.log(1 - random.nextDouble()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what whenComplete returns tells nothing that its argument does not
    private void arrive() {
        events.after(gap(), this::arrive);
        calls++;
        call.get().whenComplete((value, error) -> tally.add(events.time().nanoTime(), fate(error)));
    }

    private static Fate fate(@Nullable Throwable error) {
        @Nullable Throwable reason = error instanceof CompletionException wrapped ? wrapped.getCause() : error;
        if (reason == null) {
            return Fate.ANSWERED;
        }
        if (reason instanceof TimedOutException) {
            return Fate.TIMED_OUT;
        }
        return reason instanceof RejectedException ? Fate.REJECTED : Fate.FAILED;
    }

    /** How many calls have begun. */
    public long calls() {
        return calls;
    }

    /** How many calls have ended in this way. */
    public long count(Fate fate) {
        return tally.count(fate, 0, Long.MAX_VALUE);
    }

    /** How many calls ended in this way per second, from one time on the clock to another; both are whole seconds. */
    public double perSecond(Fate fate, Duration from, Duration to) {
        double seconds = to.toSeconds() - from.toSeconds();
        return tally.count(fate, from.toSeconds(), to.toSeconds()) / seconds;
    }
}
