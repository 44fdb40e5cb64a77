package dev.recloser.gateway.proxy;

import java.time.Duration;

/** Times as if they had been measured. */
public final class Times {

    private Times() {}

    /** The same time, so many times. */
    public static LatencySnapshot of(int count, Duration time) {
        LatencyHistogram histogram = new LatencyHistogram();
        for (int i = 0; i < count; i++) {
            histogram.record(time.toNanos());
        }
        return histogram.snapshot();
    }
}
