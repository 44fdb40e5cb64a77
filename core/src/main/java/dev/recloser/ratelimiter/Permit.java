package dev.recloser.ratelimiter;

import dev.recloser.OutcomeClass;
import dev.recloser.spi.Reservation;
import dev.recloser.spi.Ticket;
import org.jspecify.annotations.Nullable;

/** The right to begin a call at a certain time. It is spent when the call has begun, however the call ends. */
final class Permit implements Ticket {

    private final RateLimiter limiter;
    private final long start;
    private volatile boolean ended;

    Permit(RateLimiter limiter, long start) {
        this.limiter = limiter;
        this.start = start;
    }

    @Override
    public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
        ended = true;
    }

    @Override
    public void unused() {
        limiter.giveBack(this);
    }

    long start() {
        return start;
    }

    /** Ends this permit; false if it has ended before. Called under the limiter's lock. */
    boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    /** A permit for a time to come. */
    static final class Reserved extends Reservation {

        private final Permit permit;
        private final long waitNanos;

        Reserved(RateLimiter limiter, long start, long waitNanos) {
            this.permit = new Permit(limiter, start);
            this.waitNanos = waitNanos;
        }

        @Override
        public long waitNanos() {
            return waitNanos;
        }

        @Override
        public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
            permit.settle(outcome, value, error);
        }

        @Override
        public void unused() {
            permit.unused();
        }
    }
}
