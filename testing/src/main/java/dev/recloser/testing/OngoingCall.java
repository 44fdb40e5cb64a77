package dev.recloser.testing;

import dev.recloser.CallContext;
import dev.recloser.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call through a pipeline whose work does nothing but wait for the test to say how it ends. Every method that makes something
 * happen returns once the consequences have come to rest: the call has ended, its next attempt is running, or it waits for time to
 * pass or for a permit. Nothing depends on the speed of the machine; what does not come to rest within 10 seconds fails with an
 * {@link IllegalStateException}.
 *
 * @param <R> what the pipeline's calls return
 */
public abstract class OngoingCall<R extends @Nullable Object> {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final List<Attempt<R>> attempts = new ArrayList<>();
    private boolean ended;
    private @Nullable R value;
    private @Nullable Throwable error;

    OngoingCall() {}

    /** One run of the work. */
    static final class Attempt<R extends @Nullable Object> {
        final CompletableFuture<R> answer = new CompletableFuture<>();
        final CallContext context;
        volatile @Nullable Throwable failure;
        volatile boolean left;

        Attempt(CallContext context) {
            this.context = context;
        }
    }

    /** Whether the call neither runs its work nor has ended: it waits inside the pipeline. */
    abstract boolean isWaitingInside();

    /** Cancels the call as its caller would: by an interrupt, or by cancelling the future. */
    public abstract OngoingCall<R> cancel();

    /** Lets the attempt that is running return a value. */
    public final OngoingCall<R> succeed(R result) {
        running().answer.complete(result);
        return awaitRest();
    }

    /** Lets the attempt that is running fail. */
    public final OngoingCall<R> fail(Throwable failure) {
        Attempt<R> attempt = running();
        attempt.failure = failure;
        attempt.answer.completeExceptionally(failure);
        return awaitRest();
    }

    /**
     * Lets one of the attempts that run beside each other return a value. Does not wait for what follows from it: {@link #awaitAttempts},
     * {@link #value} and {@link #error} do.
     *
     * @param number which one, in the order in which they began: 1 for the first
     */
    public final OngoingCall<R> succeed(int number, R result) {
        attempt(number).answer.complete(result);
        return this;
    }

    /**
     * Lets one of the attempts that run beside each other fail. Does not wait for what follows from it.
     *
     * @param number which one, in the order in which they began: 1 for the first
     */
    public final OngoingCall<R> fail(int number, Throwable failure) {
        Attempt<R> attempt = attempt(number);
        attempt.failure = failure;
        attempt.answer.completeExceptionally(failure);
        return this;
    }

    private synchronized Attempt<R> attempt(int number) {
        if (number > attempts.size()) {
            throw new IllegalStateException("attempt " + number + " of " + attempts.size() + " that have begun");
        }
        return attempts.get(number - 1);
    }

    /** Waits until so many attempts have begun. */
    public final synchronized OngoingCall<R> awaitAttempts(int count) {
        await("begin attempt " + count, () -> attempts.size() >= count);
        return this;
    }

    /** What one of the attempts that have begun sees of the call. */
    public final CallContext context(int number) {
        return attempt(number).context;
    }

    /** Whether an attempt is running. */
    public final synchronized boolean isRunning() {
        return !ended && isInAttempt();
    }

    /** Whether the call has ended. */
    public final synchronized boolean isEnded() {
        return ended;
    }

    /** How many attempts have begun. */
    public final synchronized int attempts() {
        return attempts.size();
    }

    /** What the attempt that is running, or was the last to run, sees of the call. */
    public final synchronized CallContext context() {
        return attempts.get(attempts.size() - 1).context;
    }

    /** The value in which the call ended, for which this waits; null also if it ended in an exception. */
    public final @Nullable R value() {
        awaitEnd();
        return value;
    }

    /** The exception in which the call ended, for which this waits; null if it ended in a value. */
    public final @Nullable Throwable error() {
        awaitEnd();
        return error;
    }

    /** Waits until the call has come to rest, for example after the clock was advanced. */
    public final synchronized OngoingCall<R> awaitRest() {
        await("come to rest", () -> ended || isInAttempt() || (hasLeftAttempts() && isWaitingInside()));
        return this;
    }

    /** Waits until the call has ended. */
    public final synchronized OngoingCall<R> awaitEnd() {
        await("end", () -> ended);
        return this;
    }

    final synchronized Attempt<R> begin(CallContext context) {
        Attempt<R> attempt = new Attempt<>(context);
        attempts.add(attempt);
        notifyAll();
        return attempt;
    }

    final synchronized void end(@Nullable R result, @Nullable Throwable failure) {
        value = result;
        error = failure;
        ended = true;
        notifyAll();
    }

    private synchronized Attempt<R> running() {
        if (ended || !isInAttempt()) {
            throw new IllegalStateException("no attempt is running; the call " + (ended ? "has ended" : "waits"));
        }
        return attempts.get(attempts.size() - 1);
    }

    private boolean isInAttempt() {
        if (attempts.isEmpty()) {
            return false;
        }
        Attempt<R> last = attempts.get(attempts.size() - 1);
        return !last.left && !last.answer.isDone();
    }

    private boolean hasLeftAttempts() {
        return attempts.isEmpty() || attempts.get(attempts.size() - 1).left;
    }

    private void await(String what, BooleanSupplier reached) {
        long start = TimeSource.system().nanoTime();
        while (!reached.getAsBoolean()) {
            if (TimeSource.system().nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException("the call did not " + what);
            }
            try {
                wait(1);
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while waiting for the call to " + what, e);
            }
        }
    }
}
