package dev.recloser.ratelimiter;

/**
 * At most so many starts in any span that includes its beginning and not its end. In other words: a start and the one that comes
 * {@code limit} later are at least a span apart.
 */
final class SlidingWindow extends Schedule {

    private final int limit;
    private final long span;

    /**
     * A window without starts.
     *
     * @param limit how many starts
     * @param span in how many nanoseconds
     */
    SlidingWindow(int limit, long span) {
        this.limit = limit;
        this.span = span;
    }

    @Override
    void forget(long now) {
        while (!starts.isEmpty() && now - starts.first() >= span) {
            starts.removeFirst();
        }
    }

    @Override
    long earliestAfterLast(long now) {
        int size = starts.size();
        long start = size < limit ? now : later(now, starts.get(size - limit) + span);
        return size == 0 ? start : later(start, starts.last());
    }

    /**
     * Goes through all groups of {@code limit} neighbours that lie within a span. Such a group forbids every further start with which
     * it would still lie within a span: those between its last start less a span and its first start plus a span.
     */
    @Override
    long earliestInGaps(long now) {
        long start = now;
        for (int i = 0; i + limit <= starts.size(); i++) {
            long first = starts.get(i);
            long last = starts.get(i + limit - 1);
            if (start - (last - span) <= 0) {
                break;
            }
            if (last - first < span) {
                start = later(start, first + span);
            }
        }
        return start;
    }

    @Override
    int availableAfterLast(long now) {
        return limit - starts.size();
    }

    @Override
    void added(long start, boolean last) {
        // The starts are all there is.
    }

    @Override
    void removed(long start) {
        // The starts are all there is.
    }

    private static long later(long a, long b) {
        return a - b < 0 ? b : a;
    }
}
