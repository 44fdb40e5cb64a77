package dev.recloser.ratelimiter;

/**
 * Times at which calls begin, in ascending order; a ring that grows as needed. Times are those of a monotonic clock, and at most 292
 * years apart. Not thread-safe.
 */
final class Starts {

    private static final int FIRST_CAPACITY = 16;

    /** Its length is a power of two. */
    private long[] ring = new long[FIRST_CAPACITY];

    private int head;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    long get(int index) {
        return ring[(head + index) & (ring.length - 1)];
    }

    private void set(int index, long start) {
        ring[(head + index) & (ring.length - 1)] = start;
    }

    long first() {
        return get(0);
    }

    long last() {
        return get(size - 1);
    }

    /** Whether the latest of them is later than the given time. */
    boolean reachBeyond(long time) {
        return size > 0 && last() - time > 0;
    }

    /** How many of them are later than the given time. */
    int countAfter(long time) {
        return size - indexAfter(time);
    }

    /** The index of the earliest that is later than the given time; the size if there is none. */
    private int indexAfter(long time) {
        int from = 0;
        int to = size;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (get(middle) - time > 0) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from;
    }

    void insert(long start) {
        if (size == ring.length) {
            grow();
        }
        size++;
        int index = size - 1;
        for (; index > 0 && get(index - 1) - start > 0; index--) {
            set(index, get(index - 1));
        }
        set(index, start);
    }

    /** Takes one start at this very time out; false if there is none. */
    boolean remove(long start) {
        int index = indexAfter(start) - 1;
        if (index < 0 || get(index) != start) {
            return false;
        }
        for (; index < size - 1; index++) {
            set(index, get(index + 1));
        }
        size--;
        return true;
    }

    void removeFirst() {
        head = (head + 1) & (ring.length - 1);
        size--;
    }

    void clear() {
        head = 0;
        size = 0;
    }

    private void grow() {
        long[] larger = new long[ring.length * 2];
        for (int index = 0; index < size; index++) {
            larger[index] = get(index);
        }
        ring = larger;
        head = 0;
    }
}
