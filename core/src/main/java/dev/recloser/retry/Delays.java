package dev.recloser.retry;

import java.util.function.DoubleSupplier;

/** The delays of one call, one after the other, as its {@link Backoff} says. */
final class Delays {

    private final Backoff backoff;
    private int retry;

    /** Where the curve of decorrelated delays was left. */
    private double curveNanos;

    Delays(Backoff backoff) {
        this.backoff = backoff;
    }

    /** How many delays were given out. */
    int count() {
        return retry;
    }

    /**
     * The delay before the next retry, in nanoseconds.
     *
     * @param random gives numbers from 0 to 1, 1 excluded; asked once, and not at all without jitter
     */
    long nextNanos(DoubleSupplier random) {
        // A cast from double saturates.
        long nanos = (long) (backoff.jitter() ? next(random.getAsDouble()) : next());
        retry++;
        return nanos;
    }

    private double next() {
        return Math.min(backoff.grownNanos(retry), backoff.maximumNanos());
    }

    private double next(double random) {
        if (backoff.isDecorrelated()) {
            double before = curveNanos;
            curveNanos = backoff.curveNanos(retry + random);
            return backoff.cappedNanos(curveNanos - before, random);
        }
        double grown = backoff.grownNanos(retry);
        boolean atMaximum = grown >= backoff.maximumNanos();
        return backoff.cappedNanos(atMaximum ? Double.POSITIVE_INFINITY : backoff.spreadNanos(grown, random), random);
    }
}
