package dev.recloser.micrometer;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.spi.Strategy;
import dev.recloser.telemetry.Reading;
import io.micrometer.core.instrument.Tags;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.DoubleSupplier;

/** All that is bound under one name: usually one pipeline. Guarded by the pool. */
final class NamedPipeline {

    private final MeterSet meters;
    private final PipelineMeters calls;
    private final Gauges gauges;
    private final boolean hasGauges;
    private final IdentityHashMap<Strategy, BoundStrategy> strategies = new IdentityHashMap<>();
    private int members;

    private NamedPipeline(MeterSet meters, PipelineMeters calls, boolean hasGauges) {
        this.meters = meters;
        this.calls = calls;
        this.gauges = new Gauges(meters);
        this.hasGauges = hasGauges;
    }

    /** The pipelines that have this name. */
    static NamedPipeline of(MeterPool pool, String name) {
        MeterSet meters = new MeterSet(pool, name);
        return new NamedPipeline(meters, PipelineMeters.named(meters), true);
    }

    /** The pipelines for which there are too many names. */
    static NamedPipeline ofManyNames(MeterPool pool) {
        MeterSet meters = new MeterSet(pool, TagKey.OTHER);
        return new NamedPipeline(meters, PipelineMeters.ofManyNames(meters), false);
    }

    /**
     * Measures the calls through a pipeline, which has not been added.
     *
     * @return ends that
     */
    Runnable add(Pipeline<?> pipeline) {
        List<Strategy> parts = pipeline.strategies();
        parts.forEach(strategy -> use(strategy, true));
        DoubleSupplier abandoned = pipeline::abandoned;
        if (hasGauges) {
            gauges.add(RecloserMeter.PIPELINE_ABANDONED, Tags.empty(), abandoned);
        }
        Registration listening = pipeline.addCallListener(calls);
        members++;
        return () -> {
            members--;
            listening.remove();
            gauges.remove(RecloserMeter.PIPELINE_ABANDONED, Tags.empty(), abandoned);
            parts.forEach(strategy -> leave(strategy, true));
        };
    }

    /**
     * Measures a breaker alone, which has not been added.
     *
     * @return ends that
     */
    Runnable add(CircuitBreaker breaker) {
        use(breaker, false);
        members++;
        return () -> {
            members--;
            leave(breaker, false);
        };
    }

    private void use(Strategy strategy, boolean byPipeline) {
        strategies
                .computeIfAbsent(
                        strategy,
                        added -> new BoundStrategy(
                                added, hasGauges ? Reading.of(added) : List.of(), gauges, calls.strategy(added.name())))
                .use(byPipeline);
    }

    private void leave(Strategy strategy, boolean byPipeline) {
        BoundStrategy bound = strategies.get(strategy);
        if (bound != null && bound.leave(byPipeline)) {
            strategies.remove(strategy);
        }
    }

    /** Removes the meters if nothing is bound under this name any more. */
    boolean closeIfEmpty() {
        if (members > 0) {
            return false;
        }
        meters.close();
        return true;
    }
}
