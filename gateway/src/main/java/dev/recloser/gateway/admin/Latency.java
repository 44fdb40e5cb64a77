package dev.recloser.gateway.admin;

import dev.recloser.gateway.proxy.LatencySnapshot;

/**
 * How long a service took to answer, over some time.
 *
 * @param count how many answers
 * @param p50 half of them took at most so long, in nanoseconds
 * @param p95 likewise 95 of 100
 * @param p99 likewise 99 of 100
 */
record Latency(long count, long p50, long p95, long p99) {

    static final Latency NONE = new Latency(0, 0, 0, 0);

    static Latency of(LatencySnapshot times) {
        return times.count() == 0
                ? NONE
                : new Latency(times.count(), times.percentile(50), times.percentile(95), times.percentile(99));
    }
}
