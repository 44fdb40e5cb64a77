package dev.recloser.circuitbreaker;

import dev.recloser.CallContext;
import dev.recloser.spi.Admittance;
import org.jspecify.annotations.Nullable;

/** The open state: rejects until the break is over, and makes the first call after it the probe. */
final class Open extends State {

    private final long breakNanos;
    private final int reopenings;
    private final Tally tally;
    private final Tally slowTally;
    private final @Nullable Throwable cause;

    /**
     * An opening.
     *
     * @param reopenings how many openings went before without a closing in between
     * @param tally what was counted when it opened first
     * @param slowTally what was counted of slow calls then
     * @param cause the failure that led to it, if it was an exception
     */
    Open(
            long now,
            Journal.Entry entry,
            long breakNanos,
            int reopenings,
            Tally tally,
            Tally slowTally,
            @Nullable Throwable cause) {
        super(now, entry);
        this.breakNanos = breakNanos;
        this.reopenings = reopenings;
        this.tally = tally;
        this.slowTally = slowTally;
        this.cause = cause;
    }

    @Override
    CircuitState kind() {
        return CircuitState.OPEN;
    }

    /** The rest of the break, at least 0. No sum of times is formed, so that a break of any length is fine. */
    long restNanos(long now) {
        return Math.max(0, breakNanos - Math.max(0, now - since));
    }

    @Override
    @Nullable
    Admittance admit(Breaker breaker, CallContext context) {
        long now = breaker.now();
        breaker.usage().at(now);
        long rest = restNanos(now);
        if (rest > 0) {
            return breaker.reject(context, rest, cause);
        }
        Probe probe = new Probe(breaker, this, now);
        HalfOpen next = HalfOpen.first(probe, this, now);
        return breaker.halfOpen(this, next) ? probe.admit(context) : null;
    }

    @Override
    Tally tally(long now) {
        return tally;
    }

    @Override
    Tally slowTally(long now) {
        return slowTally;
    }

    @Override
    int reopenings() {
        return reopenings;
    }

    @Nullable
    Throwable cause() {
        return cause;
    }
}
