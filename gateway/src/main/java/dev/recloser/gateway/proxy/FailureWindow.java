package dev.recloser.gateway.proxy;

import java.util.concurrent.atomic.LongAdder;

/**
 * How many of the requests to a destination failed within an interval. When it is over, counting begins
 * anew; of what several threads count at that moment something may be lost. Thread-safe.
 */
final class FailureWindow {

    private record Counts(long since, LongAdder requests, LongAdder failures) {
        private static Counts from(long since) {
            return new Counts(since, new LongAdder(), new LongAdder());
        }
    }

    private final double ratio;
    private final int minimumThroughput;
    private final long nanos;
    private volatile Counts counts;

    FailureWindow(double ratio, int minimumThroughput, long nanos, long now) {
        this.ratio = ratio;
        this.minimumThroughput = minimumThroughput;
        this.nanos = nanos;
        this.counts = Counts.from(now);
    }

    void succeeded(long now) {
        current(now).requests.increment();
    }

    /** Whether that makes too many. */
    boolean failed(long now) {
        Counts current = current(now);
        current.requests.increment();
        current.failures.increment();
        long requests = current.requests.sum();
        return requests >= minimumThroughput && current.failures.sum() >= ratio * requests;
    }

    void clear(long now) {
        counts = Counts.from(now);
    }

    private Counts current(long now) {
        Counts seen = counts;
        if (now - seen.since < nanos) {
            return seen;
        }
        Counts fresh = Counts.from(now);
        counts = fresh;
        return fresh;
    }
}
