package dev.recloser.adaptivelimiter;

/**
 * Where the limit goes after each window: additive increase, multiplicative decrease (Chiu and Jain, 1989), the rule by which TCP finds
 * its share of a network, with the slow start of TCP before it. Not thread-safe: the limiter's lock guards it.
 *
 * <p>A window that met the goal raises the limit by one, or doubles it as long as the goal was never missed; but only if the limit was
 * nearly reached in it, since otherwise nothing is known about a higher one. A window that missed the goal lowers it by a factor, or takes
 * back the doubling by which it came to that; but only if at least half of the limit was in use, since otherwise it is not the limit that
 * lets too much through, and it would only be too low when it is needed.
 */
final class LimitSearch {

    private final int minLimit;
    private final int maxLimit;
    private final double decreaseFactor;

    private int limit;
    private boolean goalNeverMissed = true;

    /** The limit before the last change, if that was a doubling and the goal was not met since; else zero. */
    private int limitBeforeDoubling;

    LimitSearch(AdaptiveLimiterBuilder<?> builder) {
        minLimit = builder.minLimit;
        maxLimit = builder.maxLimit;
        decreaseFactor = builder.decreaseFactor;
        limit = builder.initialLimit();
    }

    int limit() {
        return limit;
    }

    /**
     * Goes on from a window.
     *
     * @param goalMet whether enough of its calls came back within the goal
     * @param mostInFlight how many calls ran at the same time in it, at most
     */
    void judge(boolean goalMet, int mostInFlight) {
        if (goalMet && mostInFlight >= limit - limit / 10) {
            raise();
        } else if (!goalMet && mostInFlight >= limit - limit / 2) {
            lower();
        }
    }

    private void raise() {
        if (limit == maxLimit) {
            limitBeforeDoubling = 0;
        } else if (goalNeverMissed) {
            limitBeforeDoubling = limit;
            limit = (int) Math.min(maxLimit, limit * 2L);
        } else {
            limit++;
        }
    }

    private void lower() {
        goalNeverMissed = false;
        int lower = Math.min(limit - 1, (int) (limit * decreaseFactor));
        if (limitBeforeDoubling > 0) {
            lower = limitBeforeDoubling;
            limitBeforeDoubling = 0;
        }
        limit = Math.max(minLimit, lower);
    }
}
