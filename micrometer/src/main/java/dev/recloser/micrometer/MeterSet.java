package dev.recloser.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;

/**
 * The meters with one name of a pipeline, which go together. Once they have gone none is made, so that a call that outlives its registration
 * leaves nothing in the registry.
 */
final class MeterSet {

    private final MeterPool pool;
    private final Tags pipeline;
    private final List<Meter> taken = new ArrayList<>();

    /** Guarded by the pool, as what is taken. */
    private boolean closed;

    /**
     * Empty.
     *
     * @param pipeline the value of the tag
     */
    MeterSet(MeterPool pool, String pipeline) {
        this(pool, Tags.of(TagKey.PIPELINE.key(), pipeline));
    }

    private MeterSet(MeterPool pool, Tags pipeline) {
        this.pool = pool;
        this.pipeline = pipeline;
    }

    /** Empty, with the same name, and closed by itself. */
    MeterSet part() {
        return new MeterSet(pool, pipeline);
    }

    /** Timers by number, each made when it is first needed. */
    LazyMeters<Timer> timers(RecloserMeter meter, int size, IntFunction<Tags> tags) {
        return new LazyMeters<>(
                pool,
                size,
                number ->
                        closed ? MeterPool.noTimer(meter) : kept(pool.timer(meter, pipeline.and(tags.apply(number)))));
    }

    /** Counters by number, each made when it is first needed. */
    LazyMeters<Counter> counters(RecloserMeter meter, int size, IntFunction<Tags> tags) {
        return new LazyMeters<>(
                pool,
                size,
                number -> closed
                        ? MeterPool.noCounter(meter)
                        : kept(pool.counter(meter, pipeline.and(tags.apply(number)))));
    }

    private <M extends Meter> M kept(M meter) {
        taken.add(meter);
        return meter;
    }

    /**
     * Makes a gauge.
     *
     * @return removes it
     */
    Runnable gauge(RecloserMeter meter, Tags tags, DoubleSupplier source) {
        Meter gauge = pool.gauge(meter, pipeline.and(tags), source);
        return gauge == null ? () -> {} : () -> pool.giveBack(gauge);
    }

    /** Removes all but the gauges. Called under the pool's lock. */
    void close() {
        closed = true;
        taken.forEach(pool::giveBack);
        taken.clear();
    }

    /** Logs, once for each name, that a meter cannot measure. */
    void failed(RecloserMeter meter, RuntimeException failure) {
        pool.failed(meter, failure);
    }
}
