package dev.recloser.testing;

import dev.recloser.time.Alarm;
import dev.recloser.time.TimeSource;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Work whose outcomes are written down beforehand: each call ends in the next of them. It stands in for a dependency, blocking and over
 * stages.
 *
 * <pre>{@code
 * ScriptedCall<String> service = ScriptedCall.<String>under(time)
 *         .returns("fine")
 *         .fails(new IOException("down"))
 *         .times(3)
 *         .returnsAfter(Duration.ofSeconds(2), "slow");
 *
 * pipeline.call(service::call);
 * pipeline.callAsync(service::callAsync);
 * }</pre>
 *
 * <p>An outcome that comes after some time is waited for in virtual time. A blocking call sleeps: on a clock that is {@linkplain
 * VirtualTime#selfAdvancing() self-advancing} it moves the clock itself, else it waits until another thread does. A stage is
 * completed when the clock is advanced far enough.
 *
 * <p>Thread-safe once the script is written; calls that overlap take the outcomes in the order in which they begin.
 *
 * @param <R> what the calls return
 */
public final class ScriptedCall<R extends @Nullable Object> {

    private final @Nullable TimeSource time;
    private final List<Outcome<R>> script = new ArrayList<>();
    private int calls;

    private ScriptedCall(@Nullable TimeSource time) {
        this.time = time;
    }

    /** The end of a call: in the error if there is one, else in the value. */
    private record Outcome<R extends @Nullable Object>(
            long nanos, R value, @Nullable Throwable error) {

        void complete(CompletableFuture<R> stage) {
            if (error == null) {
                stage.complete(value);
            } else {
                stage.completeExceptionally(error);
            }
        }
    }

    /** An empty script, for outcomes that come at once. */
    public static <R extends @Nullable Object> ScriptedCall<R> of() {
        return new ScriptedCall<>(null);
    }

    /** An empty script, for outcomes that come at once or after a time on this clock. */
    public static <R extends @Nullable Object> ScriptedCall<R> under(VirtualTime time) {
        return new ScriptedCall<>(Objects.requireNonNull(time, "time"));
    }

    // ---- writing the script

    /** The next call returns this value at once. */
    public ScriptedCall<R> returns(R value) {
        return add(new Outcome<>(0, value, null));
    }

    /** The next call fails at once. */
    public ScriptedCall<R> fails(Throwable error) {
        return addFailure(0, error);
    }

    /**
     * The next call returns this value after a while.
     *
     * @throws IllegalStateException if the script has no clock; see {@link #under}
     */
    public ScriptedCall<R> returnsAfter(Duration duration, R value) {
        return add(new Outcome<>(nanos(duration), value, null));
    }

    /**
     * The next call fails after a while.
     *
     * @throws IllegalStateException if the script has no clock; see {@link #under}
     */
    public ScriptedCall<R> failsAfter(Duration duration, Throwable error) {
        return addFailure(nanos(duration), error);
    }

    /**
     * The outcome that was added last comes so many times in all.
     *
     * @param count at least 1
     * @throws IllegalStateException if no outcome was added yet
     */
    public synchronized ScriptedCall<R> times(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count is " + count + ", must be at least 1");
        }
        if (script.isEmpty()) {
            throw new IllegalStateException("times comes after the outcome that it repeats");
        }
        Outcome<R> last = script.get(script.size() - 1);
        for (int i = 1; i < count; i++) {
            script.add(last);
        }
        return this;
    }

    @SuppressWarnings("NullAway") // the value of an outcome with an error is never looked at
    private ScriptedCall<R> addFailure(long nanos, Throwable error) {
        return add(new Outcome<>(nanos, null, Objects.requireNonNull(error, "error")));
    }

    private synchronized ScriptedCall<R> add(Outcome<R> outcome) {
        script.add(outcome);
        return this;
    }

    private long nanos(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("a call does not take " + duration);
        }
        clock();
        return duration.toNanos();
    }

    private TimeSource clock() {
        if (time == null) {
            throw new IllegalStateException("the script has no clock: make it with ScriptedCall.under(time)");
        }
        return time;
    }

    // ---- playing it

    /**
     * Plays the next outcome.
     *
     * @throws Exception the exception of the script; {@link InterruptedException} if the thread is interrupted while the call takes
     *     its time. An {@link Error} of the script is thrown as well.
     * @throws AssertionError when every outcome of the script was played before
     */
    public R call() throws Exception {
        Outcome<R> outcome = next();
        if (outcome.nanos() > 0) {
            clock().sleep(outcome.nanos());
        }
        Throwable error = outcome.error();
        if (error != null) {
            throw ScriptedCall.<RuntimeException>asItIs(error);
        }
        return outcome.value();
    }

    /**
     * Plays the next outcome in a stage. When the stage is cancelled, the clock is no longer waited for.
     *
     * @throws AssertionError when every outcome of the script was played before
     */
    public CompletableFuture<R> callAsync() {
        Outcome<R> outcome = next();
        CompletableFuture<R> stage = new CompletableFuture<>();
        if (outcome.nanos() > 0) {
            completeLater(stage, outcome, clock());
        } else {
            outcome.complete(stage);
        }
        return stage;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what whenComplete returns tells nothing that its argument does not
    private static <R extends @Nullable Object> void completeLater(
            CompletableFuture<R> stage, Outcome<R> outcome, TimeSource time) {
        Alarm alarm = new Alarm() {
            @Override
            public void ring(long now) {
                unset();
                time.executor().execute(() -> outcome.complete(stage));
            }
        };
        alarm.setDue(time.nanoTime() + outcome.nanos());
        time.timer().add(alarm);
        stage.whenComplete((value, error) -> time.timer().remove(alarm));
    }

    private synchronized Outcome<R> next() {
        calls++;
        if (calls > script.size()) {
            throw new AssertionError("call " + calls + " of a script that has " + script.size() + " outcomes");
        }
        return script.get(calls - 1);
    }

    /** How many calls have begun. */
    public synchronized int calls() {
        return calls;
    }

    /** The compiler is told X; what is thrown is what the script says. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // that is the purpose
    private static <X extends Throwable> X asItIs(Throwable error) throws X {
        throw (X) error;
    }
}
