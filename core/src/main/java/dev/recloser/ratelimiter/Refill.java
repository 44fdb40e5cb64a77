package dev.recloser.ratelimiter;

import java.math.BigInteger;

/**
 * How a token bucket is filled. The time for one permit is seldom a whole number of nanoseconds, so times are exact to a part of a
 * nanosecond: there are {@code permits} parts in each.
 *
 * @param permits how many permits are added
 * @param per in how many nanoseconds
 * @param burst how many permits the bucket holds
 * @param nanos the time for one permit, in whole nanoseconds
 * @param parts and the parts beyond
 * @param toleranceNanos the time for all permits of the bucket but one, in whole nanoseconds
 * @param toleranceParts and the parts beyond
 */
record Refill(int permits, long per, int burst, long nanos, long parts, long toleranceNanos, long toleranceParts) {

    static Refill of(int permits, long per, int burst) {
        BigInteger[] tolerance = BigInteger.valueOf(burst - 1L)
                .multiply(BigInteger.valueOf(per))
                .divideAndRemainder(BigInteger.valueOf(permits));
        return new Refill(
                permits,
                per,
                burst,
                per / permits,
                per % permits,
                tolerance[0].longValueExact(),
                tolerance[1].longValueExact());
    }
}
