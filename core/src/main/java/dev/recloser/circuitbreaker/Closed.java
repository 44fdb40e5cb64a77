package dev.recloser.circuitbreaker;

import dev.recloser.CallContext;
import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitTransition.Reason;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * The closed state, which is also the ticket of every call that it admits: they are all alike, so admitting one costs a read. Only
 * where it matters how long a call takes does each have a ticket of its own.
 */
final class Closed extends State implements Ticket {

    /** With which share of the calls a ramp begins. */
    private static final double FIRST_SHARE = .1;

    private final Breaker breaker;
    private volatile Window failures;
    private volatile @Nullable RatioWindow slowCalls;
    private volatile long slowNanos;

    /** How long the ramp lasts, from the beginning of this state; zero when there is none, or it is over. */
    private volatile long rampNanos;

    Closed(Breaker breaker, CircuitBreakerOptions<?> options, long now, Journal.@Nullable Entry entry, long rampNanos) {
        super(now, entry);
        this.breaker = breaker;
        this.failures = Window.of(options.failureRule(), now, breaker.time());
        this.rampNanos = rampNanos;
        changeSlowCalls(options, now);
    }

    /** Takes changed settings. This stays the same state: tickets that it has given out stay valid. */
    void change(CircuitBreakerOptions<?> options, long now) {
        failures = failures.under(options.failureRule(), now, breaker.time());
        changeSlowCalls(options, now);
    }

    private void changeSlowCalls(CircuitBreakerOptions<?> options, long now) {
        SlowCallRule rule = options.slowCallRule().orElse(null);
        if (rule == null) {
            slowCalls = null;
            return;
        }
        RatioWindow before = slowCalls;
        slowNanos = rule.threshold().toNanos();
        slowCalls = before == null
                ? new RatioWindow(rule.asRatio(), now, breaker.time())
                : (RatioWindow) before.under(rule.asRatio(), now, breaker.time());
    }

    @Override
    CircuitState kind() {
        return CircuitState.CLOSED;
    }

    /** Whether every call is admitted with this state as its ticket. */
    boolean admitsFreely() {
        return slowCalls == null && rampNanos == 0;
    }

    @Override
    Admittance admit(Breaker asked, CallContext context) {
        if (admitsFreely()) {
            return this;
        }
        long now = breaker.now();
        if (rampNanos != 0 && !rampAdmits(now)) {
            return breaker.reject(context, 0, null);
        }
        return slowCalls == null ? this : new Timed(now);
    }

    private boolean rampAdmits(long now) {
        double share = (double) (now - since) / rampNanos;
        if (share >= 1) {
            rampNanos = 0;
            return true;
        }
        return breaker.random() < Math.max(FIRST_SHARE, share);
    }

    @Override
    Tally tally(long now) {
        return failures.tally(now);
    }

    @Override
    Tally slowTally(long now) {
        RatioWindow slow = slowCalls;
        return slow == null ? Tally.NONE : slow.tally(now);
    }

    @Override
    public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
        settle(outcome, value, error, null);
    }

    private void settle(
            OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error, @Nullable Timed timed) {
        if (!breaker.isIn(this)) {
            breaker.late(outcome);
        } else if (outcome != OutcomeClass.IGNORED) {
            Window.Quick quick = outcome == OutcomeClass.SUCCESS && timed == null
                    ? failures.successWithoutClock()
                    : Window.Quick.NOT_COUNTED;
            if (quick != Window.Quick.COUNTED) {
                settle(quick, outcome, value, error, timed);
            }
        }
    }

    private void settle(
            Window.Quick quick,
            OutcomeClass outcome,
            @Nullable Object value,
            @Nullable Throwable error,
            @Nullable Timed timed) {
        long now = breaker.now();
        breaker.usage().at(now);
        if (quick == Window.Quick.COMPLETES || isCompletedBy(outcome, now)) {
            breaker.trip(this, Reason.FAILURES, now, value, error);
        } else if (timed != null && opensBySlowness(now - timed.start, now)) {
            breaker.trip(this, Reason.SLOW_CALLS, now, value, error);
        }
    }

    private boolean isCompletedBy(OutcomeClass outcome, long now) {
        return outcome == OutcomeClass.SUCCESS ? failures.success(now) : failures.failure(now);
    }

    private boolean opensBySlowness(long nanos, long now) {
        RatioWindow slow = slowCalls;
        return slow != null && (nanos > slowNanos ? slow.failure(now) : slow.success(now));
    }

    @Override
    public void unused() {
        // Nothing was taken.
    }

    /** The ticket of a call whose duration matters. */
    private final class Timed implements Ticket {

        private final long start;

        Timed(long start) {
            this.start = start;
        }

        @Override
        public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
            Closed.this.settle(outcome, value, error, this);
        }

        @Override
        public void unused() {
            // Nothing was taken.
        }
    }
}
