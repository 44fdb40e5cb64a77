package dev.recloser.ratelimiter;

import java.math.BigInteger;

/**
 * The theoretical arrival time of the generic cell rate algorithm: when the bucket is full again. Exact, see {@link Refill}. Not
 * thread-safe.
 */
final class ArrivalTime {

    private final Refill refill;
    private long nanos;

    /** Less than {@code refill.permits()}. */
    private long parts;

    ArrivalTime(Refill refill, long now) {
        this.refill = refill;
        this.nanos = now;
    }

    void set(ArrivalTime other) {
        nanos = other.nanos;
        parts = other.parts;
    }

    boolean isSame(ArrivalTime other) {
        return nanos == other.nanos && parts == other.parts;
    }

    /** Whether the bucket is full at this time. */
    boolean isReachedAt(long time) {
        long ahead = nanos - time;
        return ahead < 0 || (ahead == 0 && parts == 0);
    }

    /** A permit is taken at this time: a bucket that is full does not fill on, and one permit is to be filled again. */
    void take(long start) {
        if (isReachedAt(start)) {
            nanos = start;
            parts = 0;
        }
        nanos += refill.nanos();
        parts += refill.parts();
        if (parts >= refill.permits()) {
            parts -= refill.permits();
            nanos++;
        }
    }

    /** The earliest nanosecond at which there is a whole permit in the bucket. */
    long earliest() {
        long whole = nanos - refill.toleranceNanos();
        return parts > refill.toleranceParts() ? whole + 1 : whole;
    }

    /** How many whole permits there are in the bucket. */
    int available(long now) {
        if (isReachedAt(now)) {
            return refill.burst();
        }
        BigInteger missing = BigInteger.valueOf(nanos - now)
                .multiply(BigInteger.valueOf(refill.permits()))
                .add(BigInteger.valueOf(parts));
        BigInteger per = BigInteger.valueOf(refill.per());
        BigInteger whole = BigInteger.valueOf(refill.burst()).multiply(per).subtract(missing);
        return Math.max(0, whole.divide(per).intValueExact());
    }
}
