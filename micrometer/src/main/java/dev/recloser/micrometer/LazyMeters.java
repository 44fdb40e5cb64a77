package dev.recloser.micrometer;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Meters that are found by a number, and made when they are first needed. */
final class LazyMeters<M> {

    private final Object lock;
    private final AtomicReferenceArray<@Nullable M> meters;
    private final IntFunction<M> maker;

    /**
     * None yet.
     *
     * @param lock held while one is made
     * @param size how many there can be
     * @param maker makes one of them; for the same number it gives the same meter
     */
    LazyMeters(Object lock, int size, IntFunction<M> maker) {
        this.lock = lock;
        this.meters = new AtomicReferenceArray<>(size);
        this.maker = maker;
    }

    M get(int number) {
        M meter = meters.get(number);
        return meter == null ? make(number) : meter;
    }

    private M make(int number) {
        synchronized (lock) {
            M meter = meters.get(number);
            if (meter == null) {
                meter = maker.apply(number);
                meters.set(number, meter);
            }
            return meter;
        }
    }
}
