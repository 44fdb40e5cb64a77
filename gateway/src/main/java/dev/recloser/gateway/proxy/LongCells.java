package dev.recloser.gateway.proxy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Numbers that one event loop adds to and any thread may read. Since nobody else writes, an addition is a plain read and an opaque
 * write: no lock, and no atomic instruction. A reader sees each number whole, and soon.
 */
final class LongCells {

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** So that no two loops write to the same line of a cache, nor to neighbours that are fetched together. */
    private static final int PADDING = 16;

    private final long[] cells;

    LongCells(int size) {
        cells = new long[PADDING + size + PADDING];
    }

    /** To be called by the one event loop only. */
    void add(int index, long amount) {
        int at = PADDING + index;
        CELL.setOpaque(cells, at, cells[at] + amount);
    }

    long get(int index) {
        return (long) CELL.getOpaque(cells, PADDING + index);
    }
}
