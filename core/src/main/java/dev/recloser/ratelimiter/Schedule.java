package dev.recloser.ratelimiter;

/**
 * When calls may begin. It knows the starts that it has given, those of the past as far back as they matter and those to come, and
 * finds the earliest start that can be added to them without breaking its bound.
 *
 * <p>A start that is given back is taken out, as if it had never been: what is left keeps the bound, and so does whatever is added to
 * it. Where calls are waiting, this leaves a gap before their starts, which the next caller gets if it fits. Their own starts do not
 * move.
 *
 * <p>The time that is handed in never runs backwards. Not thread-safe.
 */
abstract class Schedule {

    final Starts starts = new Starts();

    /** Whether a start may fit before the last one. */
    private boolean gaps;

    /**
     * The earliest start, not before now, that keeps the bound.
     *
     * @param now the time
     */
    final long earliest(long now) {
        forget(now);
        return find(now);
    }

    private long find(long now) {
        if (!gaps || !starts.reachBeyond(now)) {
            gaps = false;
            return earliestAfterLast(now);
        }
        long start = earliestInGaps(now);
        gaps = starts.reachBeyond(start);
        return start;
    }

    /** Adds a start that {@link #earliest} has found. */
    final void take(long start) {
        boolean last = !starts.reachBeyond(start);
        starts.insert(start);
        added(start, last);
    }

    /** Takes one start at this time out. One that is so old that it does not matter any more is left as it is. */
    final void giveBack(long start) {
        if (starts.remove(start)) {
            gaps = true;
            removed(start);
        }
    }

    /** How many calls could begin now. Between starts to come this is tried out, and taken back. */
    final int available(long now) {
        if (earliest(now) != now) {
            return 0;
        }
        if (!starts.reachBeyond(now)) {
            return availableAfterLast(now);
        }
        int count = 0;
        while (find(now) == now) {
            take(now);
            count++;
        }
        for (int i = 0; i < count; i++) {
            giveBack(now);
        }
        return count;
    }

    /** How many starts are still to come. */
    final int waiting(long now) {
        return starts.countAfter(now);
    }

    /** Drops starts that no longer matter to any that is not before now. */
    abstract void forget(long now);

    /** The earliest start that is before neither now nor the last one. */
    abstract long earliestAfterLast(long now);

    /** The same as {@link #earliest}, also looking between the starts to come. */
    abstract long earliestInGaps(long now);

    /** How many calls could begin now if no start is still to come. */
    abstract int availableAfterLast(long now);

    /** A start was added, as the last one or before others. */
    abstract void added(long start, boolean last);

    /** One start at this time was taken out. */
    abstract void removed(long start);
}
