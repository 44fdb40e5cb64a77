package dev.recloser.gateway.proxy;

/**
 * Counts times by how long they were, in buckets whose boundaries are the same everywhere and for good, so that histograms can be
 * added up and subtracted. One event loop records; any thread may look.
 */
final class LatencyHistogram {

    private static final int SUM = LatencyBoundaries.BUCKETS;

    private final LongCells cells = new LongCells(SUM + 1);

    /** To be called by the one event loop only. */
    void record(long nanos) {
        long time = Math.max(0, nanos);
        cells.add(LatencyBoundaries.bucket(time), 1);
        cells.add(SUM, time);
    }

    LatencySnapshot snapshot() {
        long[] counts = new long[LatencyBoundaries.BUCKETS];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = cells.get(i);
        }
        return new LatencySnapshot(counts, cells.get(SUM));
    }
}
