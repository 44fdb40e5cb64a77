package dev.recloser.gateway.admin;

import dev.recloser.gateway.proxy.LatencySnapshot;
import java.util.ArrayDeque;

/**
 * The service times of the last minute, from totals that only grow. One total is kept for every few seconds, which is fine enough for
 * percentiles and small enough for hundreds of clusters. Used by one thread only.
 */
final class LatencyWindow {

    private static final int TICKS_A_STEP = 5;
    private static final int STEPS = ClusterHistory.SLICES / TICKS_A_STEP;

    private final ArrayDeque<LatencySnapshot> totals = new ArrayDeque<>(STEPS + 1);
    private int ticks;
    private Latency now = Latency.NONE;
    private Latency minute = Latency.NONE;

    LatencyWindow(LatencySnapshot start) {
        totals.addLast(start);
    }

    /** Looks at the total, once each tick. */
    void tick(LatencySnapshot total) {
        ticks++;
        minute = Latency.of(total.minus(totals.getFirst()));
        if (ticks % TICKS_A_STEP != 0) {
            return;
        }
        now = Latency.of(total.minus(totals.getLast()));
        totals.addLast(total);
        if (totals.size() > STEPS) {
            totals.removeFirst();
        }
    }

    /** The last step that is complete. */
    Latency now() {
        return now;
    }

    /** The last minute, or as much of it as there was. */
    Latency minute() {
        return minute;
    }
}
