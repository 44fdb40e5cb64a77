package dev.recloser.gateway.load;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;

/**
 * What is in use.
 *
 * @param heap MiB of the heap after garbage has been collected
 * @param direct MiB that Netty has taken outside of the heap: of gateways, and of clients that speak HTTP/2
 */
record Memory(long heap, long direct) {

    static final int MIB = 1024 * 1024;

    static Memory now() {
        for (int i = 0; i < 2; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return new Memory((runtime.totalMemory() - runtime.freeMemory()) / MIB, directNow());
    }

    static long directNow() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                        .metric()
                        .usedDirectMemory()
                / MIB;
    }
}
