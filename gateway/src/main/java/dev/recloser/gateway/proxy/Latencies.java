package dev.recloser.gateway.proxy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Times that several event loops measure, each in a histogram of its own. Thread-safe. */
final class Latencies {

    private final List<LatencyHistogram> histograms = new CopyOnWriteArrayList<>();

    /** A histogram for one more event loop. */
    LatencyHistogram forLoop() {
        LatencyHistogram histogram = new LatencyHistogram();
        histograms.add(histogram);
        return histogram;
    }

    LatencySnapshot snapshot() {
        LatencySnapshot all = LatencySnapshot.EMPTY;
        for (LatencyHistogram histogram : histograms) {
            all = all.plus(histogram.snapshot());
        }
        return all;
    }
}
