package dev.recloser.concurrencylimiter;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Permits that were given back and kept near the threads that gave them, so that while a limiter is far from its limit no two cores write
 * to the same place. To the limiter they count as taken.
 *
 * <p>There are several stripes, each on a cache line of its own, and a thread keeps to one. A stripe is open or closed, and one number says which
 * and how many permits it holds: whoever closes it gets them all, and none is put there any more until it is opened.
 *
 * <p>Thread-safe. After the striping of counters in Doug Lea's {@code java.util.concurrent.atomic.LongAdder}.
 */
final class SparePermits {

    private static final int CLOSED = -1;

    /** Two cache lines of 64 bytes, since processors fetch them in pairs. */
    private static final int SPACING = 128 / Integer.BYTES;

    /** With fewer, threads would often meet. */
    private static final int FEWEST_STRIPES = 4;

    private static final int MOST_STRIPES = 64;

    /** So that calls which begin and end in turn find one, and a burst does not hoard. */
    private static final int MOST_IN_STRIPE = 16;

    private static final SparePermits NONE = new SparePermits(FEWEST_STRIPES, 0);

    private final AtomicIntegerArray stripes;
    private final int shift;
    private final int mostInStripe;

    /** All stripes are closed. */
    private SparePermits(int stripes, int mostInStripe) {
        this.stripes = new AtomicIntegerArray((stripes + 1) * SPACING);
        this.shift = Long.SIZE - Integer.numberOfTrailingZeros(stripes);
        this.mostInStripe = mostInStripe;
        close();
    }

    /**
     * Room for spare permits: at most a quarter of all, in about two stripes for each core; no room if that is too few permits to go round.
     *
     * @param permits how many the limiter has
     * @param cores for how many there are to be stripes
     */
    static SparePermits of(int permits, int cores) {
        int most = permits / 4;
        int stripes =
                Math.min(MOST_STRIPES, Integer.highestOneBit(Math.min(most, Math.max(FEWEST_STRIPES, 4 * cores - 1))));
        return stripes < FEWEST_STRIPES ? NONE : new SparePermits(stripes, Math.min(MOST_IN_STRIPE, most / stripes));
    }

    /** Whether there is room for any. */
    boolean hasRoom() {
        return mostInStripe > 0;
    }

    /** Takes a permit out of this thread's stripe, if there is one. */
    boolean take() {
        int stripe = mine();
        int seen = stripes.get(stripe);
        while (seen > 0) {
            if (stripes.compareAndSet(stripe, seen, seen - 1)) {
                return true;
            }
            seen = stripes.get(stripe);
        }
        return false;
    }

    /** Puts a permit into this thread's stripe; false if it is full or closed. */
    boolean put() {
        int stripe = mine();
        int seen = stripes.get(stripe);
        while (seen != CLOSED && seen < mostInStripe) {
            if (stripes.compareAndSet(stripe, seen, seen + 1)) {
                return true;
            }
            seen = stripes.get(stripe);
        }
        return false;
    }

    /** Closes all stripes, and returns how many permits they held. Not to be called by two threads at once, nor beside {@link #open}. */
    int close() {
        int held = 0;
        for (int stripe = SPACING; stripe < stripes.length(); stripe += SPACING) {
            held += Math.max(0, stripes.getAndSet(stripe, CLOSED));
        }
        return held;
    }

    /** Opens all stripes, which were closed. */
    void open() {
        for (int stripe = SPACING; stripe < stripes.length(); stripe += SPACING) {
            stripes.set(stripe, 0);
        }
    }

    /** How many there are; while others take and put, about how many. */
    int count() {
        int held = 0;
        for (int stripe = SPACING; stripe < stripes.length(); stripe += SPACING) {
            held += Math.max(0, stripes.get(stripe));
        }
        return held;
    }

    /** Where this thread's stripe is. Neighbouring thread numbers come far apart: the multiplier is the golden ratio (Knuth, TAOCP 3, 6.4). */
    private int mine() {
        long hash = Thread.currentThread().getId() * 0x9E37_79B9_7F4A_7C15L;
        return SPACING + (int) (hash >>> shift) * SPACING;
    }
}
