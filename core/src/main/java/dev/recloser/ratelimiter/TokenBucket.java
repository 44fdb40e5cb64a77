package dev.recloser.ratelimiter;

/**
 * A bucket of permits that is filled at a steady rate. At most {@code burst + rate x span} starts lie in any span.
 *
 * <p>The generic cell rate algorithm (ITU-T I.371, virtual scheduling), which needs but one time for a bucket: the
 * {@link ArrivalTime}. So that a start can be taken out again, the latest starts are remembered one by one, and the arrival time is
 * counted anew without it; for the last start, which is the one that is usually given back, the arrival time before it is kept.
 * Starts before those are remembered in one arrival time, and can no longer be given back; neither
 * can those before the bucket was last full, which makes no difference.
 */
final class TokenBucket extends Schedule {

    /** How many starts of the past are remembered one by one. */
    static final int REMEMBERED = 1024;

    /** What came before the starts that are remembered. */
    private final ArrivalTime before;

    /** With all starts. */
    private final ArrivalTime arrival;

    /** Without the last start, if that is known. */
    private final ArrivalTime beforeLast;

    private boolean isLastKnown;
    private long lastStart;

    private final ArrivalTime without;
    private final ArrivalTime with;

    TokenBucket(Refill refill, long now) {
        before = new ArrivalTime(refill, now);
        arrival = new ArrivalTime(refill, now);
        beforeLast = new ArrivalTime(refill, now);
        without = new ArrivalTime(refill, now);
        with = new ArrivalTime(refill, now);
    }

    @Override
    void forget(long now) {
        if (arrival.isReachedAt(now)) {
            starts.clear();
            before.set(arrival);
            isLastKnown = false;
            return;
        }
        while (starts.size() > REMEMBERED && starts.first() - now <= 0) {
            before.take(starts.first());
            starts.removeFirst();
        }
    }

    @Override
    long earliestAfterLast(long now) {
        return afterAll(now, arrival, starts.size());
    }

    /** The earliest start, not before now, after as many starts with this arrival time. */
    private long afterAll(long now, ArrivalTime sum, int count) {
        long start = later(now, sum.earliest());
        return count == 0 ? start : later(start, starts.get(count - 1));
    }

    /**
     * Goes through the starts with two arrival times: one as it is, one as it were if a further start stood at the first place where the
     * bucket has a permit. If that leaves no permit for one of those that follow, then no place before that one will do.
     */
    @Override
    long earliestInGaps(long now) {
        without.set(before);
        boolean tried = false;
        long candidate = now;
        for (int i = 0; i < starts.size(); i++) {
            long start = starts.get(i);
            if (!tried) {
                candidate = afterAll(now, without, i);
                tried = candidate - start <= 0;
                if (tried) {
                    with.set(without);
                    with.take(candidate);
                }
            }
            without.take(start);
            if (tried) {
                tried = with.earliest() - start <= 0;
                with.take(start);
                if (tried && with.isSame(without)) {
                    return candidate;
                }
            }
        }
        return tried ? candidate : afterAll(now, without, starts.size());
    }

    @Override
    int availableAfterLast(long now) {
        return arrival.available(now);
    }

    @Override
    void added(long start, boolean last) {
        if (last) {
            beforeLast.set(arrival);
            arrival.take(start);
            lastStart = start;
            isLastKnown = true;
        } else {
            sumUp();
        }
    }

    @Override
    void removed(long start) {
        if (isLastKnown && start == lastStart) {
            arrival.set(beforeLast);
            isLastKnown = false;
        } else {
            sumUp();
        }
    }

    private void sumUp() {
        isLastKnown = false;
        arrival.set(before);
        for (int i = 0; i < starts.size(); i++) {
            arrival.take(starts.get(i));
        }
    }

    private static long later(long a, long b) {
        return a - b < 0 ? b : a;
    }
}
