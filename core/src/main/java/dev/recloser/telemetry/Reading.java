package dev.recloser.telemetry;

import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.spi.Strategy;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * A number that can be read off a strategy at any moment.
 *
 * @param quantity what it says
 * @param strategy the name of the strategy
 * @param value reads it; thread-safe
 */
public record Reading(Quantity quantity, String strategy, DoubleSupplier value) {

    /** What can be read. */
    public enum Quantity {
        /** The state of a circuit: 0 closed, 1 half-open, 2 open, 3 isolated. */
        CIRCUIT_STATE,
        /** Failures by calls in the window of a circuit, 0 to 1. */
        CIRCUIT_RATIO,
        /** Calls that hold a permit of a limiter. */
        LIMITER_IN_FLIGHT,
        /** Calls that wait for a permit of a limiter. */
        LIMITER_QUEUED,
        /** How many calls a limiter lets run beside each other. */
        LIMITER_LIMIT
    }

    /** What can be read off a strategy; nothing off most. */
    public static List<Reading> of(Strategy strategy) {
        String name = strategy.name();
        if (strategy instanceof CircuitBreaker breaker) {
            return List.of(
                    new Reading(Quantity.CIRCUIT_STATE, name, () -> number(breaker.state())),
                    new Reading(
                            Quantity.CIRCUIT_RATIO,
                            name,
                            () -> breaker.snapshot().failureRatio()));
        } else if (strategy instanceof ConcurrencyLimiter limiter) {
            return List.of(
                    new Reading(
                            Quantity.LIMITER_IN_FLIGHT,
                            name,
                            () -> limiter.snapshot().inFlight()),
                    new Reading(
                            Quantity.LIMITER_QUEUED,
                            name,
                            () -> limiter.snapshot().queued()),
                    new Reading(
                            Quantity.LIMITER_LIMIT,
                            name,
                            () -> limiter.snapshot().maxConcurrent()));
        } else if (strategy instanceof AdaptiveLimiter limiter) {
            return List.of(
                    new Reading(
                            Quantity.LIMITER_IN_FLIGHT,
                            name,
                            () -> limiter.snapshot().inFlight()),
                    new Reading(
                            Quantity.LIMITER_LIMIT,
                            name,
                            () -> limiter.snapshot().limit()));
        } else if (strategy instanceof RateLimiter limiter) {
            return List.of(new Reading(
                    Quantity.LIMITER_QUEUED, name, () -> limiter.snapshot().waiting()));
        }
        return List.of();
    }

    /** The number that stands for a state in metrics: the higher, the less gets through. */
    public static int number(CircuitState state) {
        return switch (state) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            case OPEN -> 2;
            case ISOLATED -> 3;
        };
    }
}
