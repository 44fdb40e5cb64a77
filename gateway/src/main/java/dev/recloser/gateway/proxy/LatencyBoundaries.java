package dev.recloser.gateway.proxy;

import java.util.Arrays;

/**
 * Where the buckets of all latency histograms end: ten in each decade from 10 us to 100 s, at the preferred numbers 1, 1.25, 1.6, 2,
 * 2.5, 3.15, 4, 5, 6.3 and 8. A time that is a boundary belongs to the bucket that ends there; one more bucket holds all that is longer.
 */
final class LatencyBoundaries {

    private static final long SHORTEST = 10_000;
    private static final int DECADES = 7;
    private static final int[] HUNDREDTHS = {100, 125, 160, 200, 250, 315, 400, 500, 630, 800};

    private static final long[] NANOS = boundaries();

    /** How many buckets there are. */
    static final int BUCKETS = NANOS.length + 1;

    /** For each power of two the first bucket that a time of at least so much can be in. */
    private static final byte[] FIRST = firstBuckets();

    private LatencyBoundaries() {}

    private static long[] boundaries() {
        long[] nanos = new long[DECADES * HUNDREDTHS.length + 1];
        long decade = SHORTEST;
        for (int i = 0; i < nanos.length; i++) {
            int place = i % HUNDREDTHS.length;
            nanos[i] = decade / 100 * HUNDREDTHS[place];
            if (place == HUNDREDTHS.length - 1) {
                decade *= 10;
            }
        }
        return nanos;
    }

    private static byte[] firstBuckets() {
        byte[] first = new byte[Long.SIZE];
        for (int power = 0; power < Long.SIZE - 1; power++) {
            int found = Arrays.binarySearch(NANOS, 1L << power);
            first[power] = (byte) (found < 0 ? -found - 1 : found);
        }
        return first;
    }

    /** The bucket that a time belongs to. */
    static int bucket(long nanos) {
        int bucket = FIRST[Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos | 1)];
        while (bucket < NANOS.length && nanos > NANOS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    /** The longest time of a bucket; of the last one, where the one before it ends. */
    static long end(int bucket) {
        return NANOS[Math.min(bucket, NANOS.length - 1)];
    }

    /** Where the bucket before this one ends. */
    static long start(int bucket) {
        return bucket == 0 ? 0 : NANOS[bucket - 1];
    }

    /**
     * The bucket that ends at a boundary.
     *
     * @throws IllegalArgumentException if it is none
     */
    static int endingAt(long nanos) {
        int found = Arrays.binarySearch(NANOS, nanos);
        if (found < 0) {
            throw new IllegalArgumentException(nanos + " ns is not the boundary of a bucket");
        }
        return found;
    }
}
