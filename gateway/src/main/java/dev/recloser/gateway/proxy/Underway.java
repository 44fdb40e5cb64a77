package dev.recloser.gateway.proxy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * How many requests are under way at one destination, those that wait for a connection to it included. Where requests are shared
 * by these numbers, every choice reads them, and all event loops count in one place; else each counts for itself, which is cheaper,
 * and they are added up when somebody looks. Thread-safe.
 */
final class Underway {

    /** So that nothing else is in the same line of a cache, nor in a neighbour that is fetched with it. */
    private static final int MIDDLE = 16;

    private final @Nullable AtomicLongArray together;
    private final List<LongCells> apart = new CopyOnWriteArrayList<>();

    /**
     * Nothing is under way.
     *
     * @param read whether every choice reads it
     */
    Underway(boolean read) {
        together = read ? new AtomicLongArray(MIDDLE + 1 + MIDDLE) : null;
    }

    /** Where one event loop counts. */
    OfLoop forLoop() {
        LongCells own = new LongCells(1);
        if (together == null) {
            apart.add(own);
        }
        return new OfLoop(together, own);
    }

    long count() {
        if (together != null) {
            return together.get(MIDDLE);
        }
        long sum = 0;
        for (LongCells loop : apart) {
            sum += loop.get(0);
        }
        return sum;
    }

    /** Used by one event loop only. */
    static final class OfLoop {

        private final @Nullable AtomicLongArray together;
        private final LongCells own;

        private OfLoop(@Nullable AtomicLongArray together, LongCells own) {
            this.together = together;
            this.own = own;
        }

        void begun() {
            add(1);
        }

        void ended() {
            add(-1);
        }

        private void add(int change) {
            if (together == null) {
                own.add(0, change);
            } else {
                together.getAndAdd(MIDDLE, change);
            }
        }
    }
}
