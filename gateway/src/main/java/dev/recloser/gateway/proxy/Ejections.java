package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.OutlierDetectionConfig;
import dev.recloser.gateway.proxy.Condition.Ejection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * By which rules the destinations of a cluster are ejected, and how many are. The term is that of Envoy; so are the rules, but that the
 * ratio is looked at with each failure, and that times grow to the double. Thread-safe.
 */
final class Ejections {

    /** By which part times are shortened at most, so that destinations that failed together do not return together. */
    private static final double JITTER = 0.1;

    private static final int MOST_DOUBLINGS = 40;

    final OutlierDetectionConfig rules;
    final long slowStartNanos;
    private final List<Destination> all;
    private final int most;
    private final AtomicInteger ejected = new AtomicInteger();

    /**
     * Nobody is ejected.
     *
     * @param all all destinations of the cluster, of which there are at least two; the list may be filled after this
     * @param size how many there will be in it
     */
    Ejections(OutlierDetectionConfig rules, List<Destination> all, int size) {
        this.rules = rules;
        this.slowStartNanos = rules.slowStart().toNanos();
        this.all = all;
        this.most = Math.min(size - 1, Math.max(1, (int) (size * rules.maxEjectedRatio())));
    }

    /** Whether one more may be ejected; it is counted then. */
    boolean begin(Health candidate, long now) {
        int count = ejected.get();
        while (count < most && hasOtherUsable(candidate, now)) {
            if (ejected.compareAndSet(count, count + 1)) {
                return true;
            }
            count = ejected.get();
        }
        return false;
    }

    /** One that is resting for a moment is usable, too: that is no reason to go on with one that fails. */
    private boolean hasOtherUsable(Health candidate, long now) {
        return all.stream().map(Destination::health).anyMatch(other -> {
            Condition condition = other.condition(now);
            return other != candidate && condition.ejection() == null && !condition.isDown();
        });
    }

    void ended() {
        ejected.decrementAndGet();
    }

    /** The ejection that follows now, after the last one if there was any. */
    Ejection next(@Nullable Ejection last, long now) {
        int inARow = last != null && last.isFollowedAt(now) ? last.inARow() + 1 : 1;
        double growth = Math.pow(2, Math.min(inARow - 1, MOST_DOUBLINGS));
        double nanos = Math.min(rules.ejectionTime().toNanos() * growth, (double)
                rules.maxEjectionTime().toNanos());
        double shortened = nanos * (1 - JITTER * ThreadLocalRandom.current().nextDouble());
        return new Ejection(now, Math.max((long) shortened, TimeUnit.MILLISECONDS.toNanos(1)), inARow);
    }
}
