package dev.recloser.benchmarks.gateway;

import java.util.Arrays;

/** Durations in nanoseconds, all of them kept. */
final class Latencies {

    private long[] values = new long[1 << 16];
    private int count;

    void add(long nanos) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = nanos;
    }

    long[] sorted() {
        long[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted;
    }

    /** In milliseconds; 0 when there are none. */
    static double percentile(int percent, long[] sorted) {
        return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1L) * percent / 100)] / 1e6;
    }
}
