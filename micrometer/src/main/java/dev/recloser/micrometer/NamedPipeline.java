package dev.recloser.micrometer;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.spi.Strategy;
import dev.recloser.telemetry.Reading;
import dev.recloser.telemetry.StrategyPlaces;
import io.micrometer.core.instrument.Tags;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.DoubleSupplier;

/** All that is bound under one name: usually one pipeline. Guarded by the pool. */
final class NamedPipeline {

    private final MeterSet meters;
    private final StrategyCounters others;
    private final StrategyPlaces<StrategyCounters> places;
    private final PipelineMeters calls;
    private final Gauges gauges;
    private final boolean hasGauges;
    private final IdentityHashMap<Strategy, BoundStrategy> strategies = new IdentityHashMap<>();
    private int members;

    private NamedPipeline(MeterPool pool, String name, boolean isOfManyNames) {
        this.meters = new MeterSet(pool, name);
        this.others = new StrategyCounters(meters, TagKey.OTHER);
        this.places = new StrategyPlaces<>(
                pool,
                !isOfManyNames,
                others,
                strategy -> new StrategyCounters(meters, strategy),
                (strategy, counters) -> counters.close());
        this.calls = new PipelineMeters(meters, places);
        this.gauges = new Gauges(meters);
        this.hasGauges = !isOfManyNames;
    }

    /** The pipelines that have this name. */
    static NamedPipeline of(MeterPool pool, String name) {
        return new NamedPipeline(pool, name, false);
    }

    /** The pipelines for which there are too many names. */
    static NamedPipeline ofManyNames(MeterPool pool) {
        return new NamedPipeline(pool, TagKey.OTHER, true);
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
        PipelineCalls own = new PipelineCalls(calls);
        Registration listening = pipeline.addCallListener(own);
        members++;
        return () -> {
            members--;
            listening.remove();
            own.end();
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
        strategies.computeIfAbsent(strategy, this::placed).use(byPipeline);
    }

    private BoundStrategy placed(Strategy strategy) {
        StrategyPlaces.Place<StrategyCounters> place = places.take(strategy.name());
        return new BoundStrategy(strategy, place, place.hasGauges() ? Reading.of(strategy) : List.of(), gauges);
    }

    private void leave(Strategy strategy, boolean byPipeline) {
        BoundStrategy bound = strategies.get(strategy);
        if (bound != null && bound.leave(byPipeline)) {
            strategies.remove(strategy);
            places.giveBack(bound.place());
        }
    }

    /** Removes the meters if nothing is bound under this name any more. */
    boolean closeIfEmpty() {
        if (members > 0) {
            return false;
        }
        places.close();
        others.close();
        meters.close();
        return true;
    }
}
