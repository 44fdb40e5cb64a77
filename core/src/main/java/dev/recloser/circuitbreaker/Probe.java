package dev.recloser.circuitbreaker;

import dev.recloser.CallContext;
import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitTransition.Reason;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Ticket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The ticket of one probe, and what its end does to the circuit. It guards itself: only its first end counts. It holds its place for a
 * lease; after that it is lost, and of its outcomes only a success still counts, while the half-open lasts that let it through.
 */
final class Probe implements Ticket {

    private final Breaker breaker;

    /** The opening before the half-open that let it through, which tells all values of that half-open from those of another. */
    private final Open opening;

    private final long start;
    private final AtomicBoolean ended = new AtomicBoolean();

    Probe(Breaker breaker, Open opening, long start) {
        this.breaker = breaker;
        this.opening = opening;
        this.start = start;
    }

    /** Lets the call through as the probe or, if there is a health check, starts that in its place and rejects the call. */
    Admittance admit(CallContext context) {
        HealthCheck check = breaker.options().healthCheck().orElse(null);
        if (check == null) {
            return this;
        }
        try {
            breaker.time().executor().execute(() -> run(check));
        } catch (Throwable noThread) {
            unused();
        }
        return breaker.reject(context, breaker.leaseNanos(), opening.cause());
    }

    private void run(HealthCheck check) {
        boolean healthy = false;
        Throwable error = null;
        try {
            healthy = check.isHealthy();
        } catch (Throwable e) {
            error = e;
        }
        settle(healthy ? OutcomeClass.SUCCESS : OutcomeClass.FAILURE, null, error);
    }

    @Override
    public boolean isProbe() {
        return true;
    }

    boolean belongsTo(Open asked) {
        return opening == asked;
    }

    boolean isLost(long now) {
        return now - start >= breaker.leaseNanos();
    }

    long restOfLease(long now) {
        return Math.max(0, breaker.leaseNanos() - Math.max(0, now - start));
    }

    @Override
    public void unused() {
        if (ended.compareAndSet(false, true)) {
            boolean given = false;
            while (!given && breaker.current() instanceof HalfOpen seen && seen.issued(this)) {
                given = breaker.move(seen, seen.ended(this, false));
            }
        }
    }

    @Override
    public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        boolean settled = false;
        while (!settled) {
            if (breaker.current() instanceof HalfOpen seen && seen.issued(this)) {
                settled = settle(seen, outcome, value, error);
            } else {
                breaker.late(outcome);
                settled = true;
            }
        }
    }

    /** False if the circuit has moved on meanwhile: look again. */
    private boolean settle(HalfOpen seen, OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
        long now = breaker.now();
        breaker.usage().at(now);
        OutcomeClass judged = outcome == OutcomeClass.SUCCESS && isSlow(now) ? OutcomeClass.FAILURE : outcome;
        if (judged == OutcomeClass.SUCCESS) {
            return succeeded(seen, now);
        }
        if (isLost(now) || !seen.holds(this)) {
            return leaveLost(seen, outcome);
        }
        return judged == OutcomeClass.FAILURE ? breaker.reopen(seen, now, value, error) : inconclusive(seen, now);
    }

    /** Counted as lost, unless the call that took the place has done so. */
    private boolean leaveLost(HalfOpen seen, OutcomeClass outcome) {
        if (!seen.holds(this)) {
            breaker.late(outcome);
            return true;
        }
        boolean left = breaker.move(seen, seen.ended(this, false));
        if (left) {
            breaker.probesLost(1);
        }
        return left;
    }

    private boolean isSlow(long now) {
        SlowCallRule rule = breaker.options().slowCallRule().orElse(null);
        return rule != null && now - start > rule.threshold().toNanos();
    }

    private boolean succeeded(HalfOpen seen, long now) {
        return seen.successes() + 1 >= breaker.options().successesToClose()
                ? breaker.close(seen, Reason.PROBES_SUCCEEDED, now)
                : breaker.move(seen, seen.ended(this, true));
    }

    private boolean inconclusive(HalfOpen seen, long now) {
        if (breaker.options().probesAgainWhenInconclusive() || seen.successes() > 0 || seen.hasOther(this, now)) {
            return breaker.move(seen, seen.ended(this, false));
        }
        return breaker.reopenInconclusive(seen, now);
    }
}
