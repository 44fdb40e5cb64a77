package dev.recloser.gateway.proxy;

import java.util.Arrays;

/**
 * Times that were measured, by how long they were. Immutable. What lies between two looks is {@link #minus}; what several were
 * together is {@link #plus}.
 */
public final class LatencySnapshot {

    /** Nothing measured. */
    public static final LatencySnapshot EMPTY = new LatencySnapshot(new long[LatencyBoundaries.BUCKETS], 0);

    private static final double PERCENT = 100;

    private final long[] counts;
    private final long count;
    private final long sumNanos;

    /** Takes over the array. */
    LatencySnapshot(long[] counts, long sumNanos) {
        this.counts = counts;
        this.count = Arrays.stream(counts).sum();
        this.sumNanos = sumNanos;
    }

    /** How many times there are. */
    public long count() {
        return count;
    }

    /** All times added up, in nanoseconds. */
    public long sumNanos() {
        return sumNanos;
    }

    /** Both together. */
    public LatencySnapshot plus(LatencySnapshot other) {
        return combine(other, 1);
    }

    /** What has come since an earlier look at the same. */
    public LatencySnapshot minus(LatencySnapshot earlier) {
        return combine(earlier, -1);
    }

    private LatencySnapshot combine(LatencySnapshot other, int sign) {
        long[] combined = new long[counts.length];
        for (int i = 0; i < combined.length; i++) {
            combined[i] = counts[i] + sign * other.counts[i];
        }
        return new LatencySnapshot(combined, sumNanos + sign * other.sumNanos);
    }

    /**
     * The time that so many percent of the times do not exceed, taken as evenly spread within each bucket.
     *
     * @param percent from 0 to 100, such as 99
     * @return nanoseconds; 0 if there are no times, and 100 s for whatever is longer
     */
    public long percentile(double percent) {
        if (!(percent >= 0 && percent <= PERCENT)) {
            throw new IllegalArgumentException("percent is " + percent + ", and must be from 0 to 100");
        }
        double rank = percent / PERCENT * count;
        long before = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0 && before + counts[i] >= rank) {
                long start = LatencyBoundaries.start(i);
                double part = (rank - before) / counts[i];
                return start + Math.round(part * (LatencyBoundaries.end(i) - start));
            }
            before += counts[i];
        }
        return 0;
    }

    /**
     * How many times are not longer than that.
     *
     * @param boundaryNanos where a bucket ends: 1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3 or 8 times a power of ten, from 10 us to 100 s
     * @throws IllegalArgumentException if no bucket ends there
     */
    public long upTo(long boundaryNanos) {
        int last = LatencyBoundaries.endingAt(boundaryNanos);
        long sum = 0;
        for (int i = 0; i <= last; i++) {
            sum += counts[i];
        }
        return sum;
    }
}
