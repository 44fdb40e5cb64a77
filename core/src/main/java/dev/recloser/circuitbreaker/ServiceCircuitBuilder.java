package dev.recloser.circuitbreaker;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Describes the circuit for a service, in the order in which one would say it: open after 5 of 10 within the last minute, half-open
 * after 30 seconds. {@link #halfOpenAfter} ends the description. Not thread-safe.
 */
public final class ServiceCircuitBuilder {

    private static final int DEFAULT_FAILURES = 5;
    private static final int DEFAULT_OF = 10;

    private final CircuitBreakerStore store;
    private final String service;
    private final CircuitBreakerBuilder<Object> builder =
            new CircuitBreakerBuilder<>().openAfter(DEFAULT_FAILURES, DEFAULT_OF).build().toBuilder();

    ServiceCircuitBuilder(CircuitBreakerStore store, String service) {
        this.store = store;
        this.service = service;
    }

    /** How many of the last calls must have failed to open the circuit; 5 of 10 by default. */
    public ServiceCircuitBuilder openAfter(int failures, int ofLast) {
        builder.openAfter(failures, ofLast);
        return this;
    }

    /** How old an outcome may be to count; 1 minute by default. */
    public ServiceCircuitBuilder withinLast(Duration span) {
        builder.withinLast(span);
        return this;
    }

    /** Counts exceptions that the predicate accepts as failures, and no others but those also named. */
    public ServiceCircuitBuilder when(Predicate<? super Throwable> failure) {
        builder.when(failure);
        return this;
    }

    /** The same, with a name by which the predicate is compared when the circuit is asked for again. */
    public ServiceCircuitBuilder when(String name, Predicate<? super Throwable> failure) {
        builder.when(name, failure);
        return this;
    }

    /** Changes any other setting, also the kind of rule. */
    public ServiceCircuitBuilder settings(Consumer<CircuitBreakerBuilder<Object>> settings) {
        settings.accept(builder);
        return this;
    }

    /**
     * How long the circuit stays open before a call may probe. Ends the description.
     *
     * @return the circuit for the service: the one that there is, or else a new one
     * @throws IllegalStateException if there is one with other settings; it names those that differ
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public CircuitBreaker halfOpenAfter(Duration breakDuration) {
        return store.get(service, builder.breakDuration(breakDuration).build());
    }
}
