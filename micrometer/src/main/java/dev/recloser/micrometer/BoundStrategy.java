package dev.recloser.micrometer;

import dev.recloser.OutcomeClass;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.spi.Strategy;
import dev.recloser.telemetry.CircuitEvent;
import dev.recloser.telemetry.Reading;
import dev.recloser.telemetry.RejectionReason;
import dev.recloser.telemetry.StrategyPlaces;
import io.micrometer.core.instrument.Tags;
import java.util.List;

/**
 * A strategy that is bound under the name of a pipeline: by one pipeline, by several of that name that share it, or, a breaker, alone. However
 * often, it is counted once. Guarded by the pool, but for what listeners read.
 */
final class BoundStrategy implements CircuitListener {

    private final Strategy strategy;
    private final StrategyPlaces.Place<StrategyCounters> place;
    private final StrategyCounters counters;
    private final List<Reading> readings;
    private final Gauges gauges;
    private final Tags tags;

    private Registration listening = () -> {};
    private int uses;
    private int usesByPipelines;
    private volatile boolean belongsToPipeline;

    /**
     * Not used yet.
     *
     * @param place where it is counted
     * @param readings what gauges are to show of it
     */
    BoundStrategy(
            Strategy strategy, StrategyPlaces.Place<StrategyCounters> place, List<Reading> readings, Gauges gauges) {
        this.strategy = strategy;
        this.place = place;
        this.counters = place.counters();
        this.readings = readings;
        this.gauges = gauges;
        this.tags = Tags.of(TagKey.STRATEGY.key(), strategy.name());
    }

    StrategyPlaces.Place<StrategyCounters> place() {
        return place;
    }

    /** Once more; with the first one the gauges come, and then, of a breaker, whatever it tells is counted. */
    void use(boolean byPipeline) {
        uses++;
        usesByPipelines += byPipeline ? 1 : 0;
        belongsToPipeline = usesByPipelines > 0;
        if (uses == 1) {
            readings.forEach(reading -> gauges.add(RecloserMeter.of(reading.quantity()), tags, reading.value()));
            listening = strategy instanceof CircuitBreaker breaker ? breaker.addListener(this) : listening;
        }
    }

    /**
     * Once less; with the last one the gauges go.
     *
     * @return whether that was the last one
     */
    boolean leave(boolean byPipeline) {
        uses--;
        usesByPipelines -= byPipeline ? 1 : 0;
        belongsToPipeline = usesByPipelines > 0;
        if (uses > 0) {
            return false;
        }
        listening.remove();
        readings.forEach(reading -> gauges.remove(RecloserMeter.of(reading.quantity()), tags, reading.value()));
        return true;
    }

    // ---- told by the breaker

    @Override
    public void caused(CircuitTransition transition) {
        counters.happened(CircuitEvent.into(transition.to()));
    }

    /** A pipeline tells of its rejections itself. */
    @Override
    public void rejected(CircuitBreaker breaker) {
        if (!belongsToPipeline) {
            counters.rejected(RejectionReason.of(breaker));
        }
    }

    @Override
    public void late(CircuitBreaker breaker, OutcomeClass outcome) {
        counters.happened(CircuitEvent.LATE);
    }

    @Override
    public void probeLost(CircuitBreaker breaker) {
        counters.happened(CircuitEvent.PROBE_LOST);
    }
}
