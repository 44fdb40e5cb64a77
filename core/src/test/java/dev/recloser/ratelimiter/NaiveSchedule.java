package dev.recloser.ratelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** All starts in a list, and a bound that is looked at for every span between two of them. Times are small and do not overflow. */
final class NaiveSchedule {

    /** How many starts there may be in the span from one start to another, both included. */
    interface Bound {
        boolean permits(int starts, long span);
    }

    private final List<Long> starts = new ArrayList<>();
    private final Bound bound;

    NaiveSchedule(Bound bound) {
        this.bound = bound;
    }

    static Bound tokenBucket(int permits, long per, int burst) {
        return (count, span) -> count * per <= burst * per + permits * span;
    }

    static Bound slidingWindow(int limit, long span) {
        return (count, between) -> count <= limit || between >= span;
    }

    long earliest(long now) {
        long start = now;
        while (!fits(start)) {
            assertThat(++start - now).as("a wait").isLessThan(10_000);
        }
        return start;
    }

    private boolean fits(long start) {
        List<Long> all = new ArrayList<>(starts);
        all.add(start);
        Collections.sort(all);
        return keepsBound(all);
    }

    boolean keepsBound() {
        return keepsBound(starts);
    }

    private boolean keepsBound(List<Long> sorted) {
        for (int first = 0; first < sorted.size(); first++) {
            for (int last = first; last < sorted.size(); last++) {
                if (!bound.permits(last - first + 1, sorted.get(last) - sorted.get(first))) {
                    return false;
                }
            }
        }
        return true;
    }

    int available(long now) {
        int count = 0;
        while (fits(now)) {
            take(now);
            count++;
        }
        for (int i = 0; i < count; i++) {
            giveBack(now);
        }
        return count;
    }

    int waiting(long now) {
        return (int) starts.stream().filter(start -> start > now).count();
    }

    void take(long start) {
        starts.add(start);
        Collections.sort(starts);
    }

    void giveBack(long start) {
        starts.remove(starts.indexOf(start));
    }
}
