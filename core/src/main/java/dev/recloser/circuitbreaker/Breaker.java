package dev.recloser.circuitbreaker;

import dev.recloser.CallContext;
import dev.recloser.CircuitIsolatedException;
import dev.recloser.CircuitOpenException;
import dev.recloser.OutcomeClass;
import dev.recloser.Registration;
import dev.recloser.RejectedException;
import dev.recloser.circuitbreaker.CircuitTransition.Reason;
import dev.recloser.spi.Admittance;
import dev.recloser.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One circuit: its state, and the only place where that changes.
 *
 * <p>The state is one immutable value in one field. Every method reads it once, decides, and tries to swap it for the value that
 * should follow; who loses that race looks again. A ticket remembers the state that issued it (a closed state is its own ticket, a
 * probe knows by the opening before it), so that an outcome which comes late can be told from one that counts.
 */
final class Breaker {

    private static final VarHandle STATE;
    private static final VarHandle LATE;
    private static final VarHandle LOST;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Breaker.class, "state", State.class);
            LATE = lookup.findVarHandle(Breaker.class, "late", long.class);
            LOST = lookup.findVarHandle(Breaker.class, "lost", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final long NO_RAMP = 0;

    private final CircuitBreaker handle;
    private final String name;
    private final TimeSource time;
    private final Journal journal;
    private final Usage usage;
    private final LongAdder rejected = new LongAdder();

    /** Seldom counted, and a process may have thousands of breakers: hence no object; written through {@link #LATE}. */
    private volatile long late;

    /** As above, written through {@link #LOST}. */
    private volatile long lost;

    private volatile State state;
    private volatile CircuitBreakerOptions<?> options;
    private volatile long leaseNanos;

    Breaker(CircuitBreaker handle, String name, CircuitBreakerOptions<?> options, TimeSource time) {
        this.handle = handle;
        this.name = name;
        this.options = options;
        this.leaseNanos = BreakSettings.saturatedNanos(options.probeLease());
        this.time = time;
        this.journal = new Journal(time.executor());
        this.usage = new Usage(time.nanoTime());
        this.state = new Closed(this, options, time.nanoTime(), new Journal.Entry(), NO_RAMP);
    }

    CircuitBreakerOptions<?> options() {
        return options;
    }

    TimeSource time() {
        return time;
    }

    long now() {
        return time.nanoTime();
    }

    Usage usage() {
        return usage;
    }

    /** A number from 0 to 1, 1 excluded. */
    double random() {
        return ThreadLocalRandom.current().nextDouble();
    }

    long leaseNanos() {
        return leaseNanos;
    }

    State current() {
        return state;
    }

    boolean isIn(State asked) {
        return state == asked;
    }

    CircuitState state() {
        return state.kind();
    }

    // ---- admission

    Admittance acquire(CallContext context) {
        State seen = state;
        return seen instanceof Closed closed && closed.admitsFreely() ? closed : acquireOtherwise(context);
    }

    private Admittance acquireOtherwise(CallContext context) {
        while (true) {
            Admittance answer = state.admit(this, context);
            if (answer != null) {
                return answer instanceof RejectedException && options.observeOnly() ? Observed.TICKET : answer;
            }
        }
    }

    Admittance reject(CallContext context, long retryAfterNanos, @Nullable Throwable cause) {
        countRejected();
        return new CircuitOpenException(context.pipeline(), name, retryAfterNanos, cause);
    }

    Admittance rejectIsolated(CallContext context) {
        usage.at(now());
        countRejected();
        return new CircuitIsolatedException(context.pipeline(), name);
    }

    private void countRejected() {
        rejected.increment();
        journal.rejected(handle);
    }

    void late(OutcomeClass outcome) {
        LATE.getAndAdd(this, 1L);
        journal.late(handle, outcome);
    }

    void probesLost(int count) {
        for (int i = 0; i < count; i++) {
            LOST.getAndAdd(this, 1L);
            journal.probeLost(handle);
        }
    }

    // ---- transitions

    /** The condition of a closed state has come true. */
    void trip(Closed from, Reason reason, long now, @Nullable Object value, @Nullable Throwable error) {
        move(from, opened(from, 0, now, value, error), reason);
    }

    /** The break is over, and the first probe goes. */
    boolean halfOpen(Open from, HalfOpen to) {
        return move(from, to, Reason.BREAK_OVER);
    }

    /** Probes begin and end within one half-open, which is no transition. */
    boolean move(HalfOpen from, HalfOpen to) {
        return STATE.compareAndSet(this, from, to);
    }

    /** Opens a half-open circuit for another break, a longer one where breaks grow. */
    boolean reopen(HalfOpen from, long now, @Nullable Object value, @Nullable Throwable error) {
        return move(from, opened(from, from.reopenings() + 1, now, value, error), Reason.PROBE_FAILED);
    }

    /** Opens a half-open circuit for the same break once more: nothing was learnt. */
    boolean reopenInconclusive(HalfOpen from, long now) {
        long breakNanos = options.breakSettings().nanos(from.reopenings(), this::random);
        return move(from, opened(from, from.reopenings(), now, breakNanos, null), Reason.PROBE_INCONCLUSIVE);
    }

    boolean close(State from, Reason reason, long now) {
        CircuitBreakerOptions<?> used = options;
        Closed closed =
                new Closed(this, used, now, new Journal.Entry(), used.rampUp().toNanos());
        boolean moved = move(from, closed, reason);
        if (moved) {
            catchUp(closed, used, now);
        }
        return moved;
    }

    /** Settings that were changed while a closed state was being made with others. */
    private synchronized void catchUp(Closed closed, CircuitBreakerOptions<?> used, long now) {
        if (options != used) {
            closed.change(options, now);
        }
    }

    private boolean move(State from, State to, Reason reason) {
        // Everything that can fail comes before the swap: after it the new entry is only linked to the old one.
        Journal.Entry before = from.entry();
        Journal.Entry after = to.entry();
        if (before == null || after == null) {
            return false;
        }
        after.transition = CircuitTransition.of(name, from, to, reason, time.instant());
        if (!STATE.compareAndSet(this, from, to)) {
            return false;
        }
        before.next = after;
        from.forgetEntry();
        journal.wake();
        journal.caused(after.transition);
        return true;
    }

    private Open opened(State from, int reopenings, long now, @Nullable Object value, @Nullable Throwable error) {
        long breakNanos = options.breakSettings().nanos(reopenings, value, error, this::random);
        return opened(from, reopenings, now, breakNanos, error);
    }

    private static Open opened(State from, int reopenings, long now, long breakNanos, @Nullable Throwable error) {
        Throwable cause = error == null && from instanceof HalfOpen halfOpen
                ? halfOpen.opening().cause()
                : error;
        return new Open(now, new Journal.Entry(), breakNanos, reopenings, from.tally(now), from.slowTally(now), cause);
    }

    /**
     * Takes other settings, and keeps the state.
     *
     * @return false if the settings are no longer those that were expected
     */
    synchronized boolean change(CircuitBreakerOptions<?> expected, CircuitBreakerOptions<?> changed) {
        if (options != expected) {
            return false;
        }
        options = changed;
        leaseNanos = BreakSettings.saturatedNanos(changed.probeLease());
        if (state instanceof Closed closed) {
            closed.change(changed, now());
        }
        return true;
    }

    /** Closes the circuit, or if it is closed begins a new window; what is under way is late then. */
    void reset() {
        boolean done = false;
        while (!done) {
            State seen = state;
            done = seen instanceof Closed closed ? renew(closed) : close(seen, Reason.BY_HAND, now());
        }
        rejected.reset();
        late = 0;
        lost = 0;
    }

    private boolean renew(Closed from) {
        CircuitBreakerOptions<?> used = options;
        Closed fresh = new Closed(this, used, now(), from.entry(), NO_RAMP);
        boolean renewed = STATE.compareAndSet(this, from, fresh);
        if (renewed) {
            from.forgetEntry();
            catchUp(fresh, used, fresh.since);
        }
        return renewed;
    }

    void isolate() {
        State seen = state;
        while (!(seen instanceof Isolated) && !move(seen, new Isolated(now(), new Journal.Entry()), Reason.BY_HAND)) {
            seen = state;
        }
    }

    void close() {
        State seen = state;
        while (!(seen instanceof Closed) && !close(seen, Reason.BY_HAND, now())) {
            seen = state;
        }
    }

    // ---- what can be seen

    CircuitSnapshot snapshot() {
        State seen = state;
        long now = now();
        Tally tally = seen.tally(now);
        Tally slow = seen.slowTally(now);
        return new CircuitSnapshot(
                name,
                seen.kind(),
                Duration.ofNanos(Math.max(0, now - seen.since)),
                tally.calls(),
                tally.failures(),
                slow.calls(),
                slow.failures(),
                seen instanceof Open open ? Optional.of(Duration.ofNanos(open.restNanos(now))) : Optional.empty(),
                seen instanceof HalfOpen halfOpen ? halfOpen.running(now) : 0,
                seen.reopenings(),
                rejected.sum(),
                late,
                lost);
    }

    Registration addListener(CircuitListener listener) {
        Journal.Entry latest = state.entry();
        while (latest == null) {
            // The circuit is just leaving the state that was looked at.
            Thread.onSpinWait();
            latest = state.entry();
        }
        return journal.subscribe(latest, Objects.requireNonNull(listener, "listener"));
    }
}
