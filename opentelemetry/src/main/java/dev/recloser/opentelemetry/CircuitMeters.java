package dev.recloser.opentelemetry;

import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.telemetry.CircuitEvent;
import dev.recloser.telemetry.RejectionReason;
import java.util.function.BooleanSupplier;

/** Counts what happens to a circuit. */
final class CircuitMeters implements CircuitListener {

    private final StrategyCounters counters;

    CircuitMeters(StrategyCounters counters) {
        this.counters = counters;
    }

    /** At once, so that whoever sees the new state sees it counted too. */
    @Override
    public void caused(CircuitTransition transition) {
        counters.happened(CircuitEvent.into(transition.to()));
    }

    @Override
    public void late(CircuitBreaker breaker, OutcomeClass outcome) {
        counters.happened(CircuitEvent.LATE);
    }

    @Override
    public void probeLost(CircuitBreaker breaker) {
        counters.happened(CircuitEvent.PROBE_LOST);
    }

    /**
     * Counts what a circuit has rejected that is used without a pipeline.
     *
     * @param belongsToPipeline whether a pipeline that is bound tells of its rejections
     */
    record Rejections(StrategyCounters counters, BooleanSupplier belongsToPipeline) implements CircuitListener {

        @Override
        public void rejected(CircuitBreaker breaker) {
            if (!belongsToPipeline.getAsBoolean()) {
                counters.rejected(RejectionReason.of(breaker));
            }
        }
    }
}
