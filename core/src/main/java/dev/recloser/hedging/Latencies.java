package dev.recloser.hedging;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A percentile of the latencies of late: a histogram whose buckets grow with the latency, eight to each power of two, so that what
 * is read from it is at most an eighth too high. Two of them are kept, one that is being filled and the one before it, so that
 * the last {@link #SIZE} latencies always count and those before the last two times as many never do.
 *
 * <p>Thread-safe. A latency that is recorded just while the histograms are exchanged may be lost.
 */
final class Latencies {

    /** How many latencies a histogram takes. */
    static final int SIZE = 1000;

    /** How many there must be before a percentile says anything. */
    static final int ENOUGH = 100;

    private static final int SUB_BITS = 3;
    private static final int SUBS = 1 << SUB_BITS;
    private static final int BUCKETS = (Long.SIZE - SUB_BITS) * SUBS;

    /** How many latencies pass before the percentile is worked out again. */
    private static final int REFRESH = 50;

    private final double percentile;
    private final AtomicLong recorded = new AtomicLong();
    private volatile AtomicIntegerArray current = new AtomicIntegerArray(BUCKETS);
    private volatile AtomicIntegerArray previous = new AtomicIntegerArray(BUCKETS);
    private volatile long nanos = -1;

    /**
     * A histogram of nothing.
     *
     * @param percentile which one is asked for: more than 0, less than 1
     */
    Latencies(double percentile) {
        this.percentile = percentile;
    }

    double percentile() {
        return percentile;
    }

    /** Takes a latency into account. */
    void record(long latencyNanos) {
        current.incrementAndGet(bucket(Math.max(0, latencyNanos)));
        long number = recorded.incrementAndGet();
        if (number % REFRESH == 0) {
            refresh(number);
        }
    }

    /** The percentile in nanoseconds; negative while too few latencies are known. */
    long nanos() {
        return nanos;
    }

    private synchronized void refresh(long number) {
        if (number >= ENOUGH) {
            nanos = compute();
        }
        if (number % SIZE == 0) {
            previous = current;
            current = new AtomicIntegerArray(BUCKETS);
        }
    }

    private long compute() {
        long total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            total += current.get(i) + previous.get(i);
        }
        long below = (long) Math.ceil(total * percentile);
        long seen = 0;
        int bucket = 0;
        while (bucket < BUCKETS - 1) {
            seen += current.get(bucket) + previous.get(bucket);
            if (seen >= below) {
                break;
            }
            bucket++;
        }
        return highest(bucket);
    }

    /** Latencies below 8 ns have a bucket each. */
    static int bucket(long latency) {
        if (latency < SUBS) {
            return (int) latency;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(latency) - SUB_BITS;
        return (shift + 1) * SUBS + (int) (latency >>> shift) - SUBS;
    }

    /** The highest latency that falls into a bucket. */
    static long highest(int bucket) {
        if (bucket < SUBS) {
            return bucket;
        }
        int shift = bucket / SUBS - 1;
        long lowest = (long) (bucket % SUBS + SUBS) << shift;
        return lowest + (1L << shift) - 1;
    }
}
