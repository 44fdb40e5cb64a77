package dev.recloser.telemetry;

import dev.recloser.circuitbreaker.CircuitState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the circuits of a service were at one moment.
 *
 * @param isDegraded whether the service should count as degraded: a critical circuit was not closed
 * @param circuits the circuits, critical ones first
 */
public record HealthReport(boolean isDegraded, List<Circuit> circuits) {

    /** A report. */
    public HealthReport {
        circuits = List.copyOf(circuits);
    }

    /**
     * How a circuit was.
     *
     * @param name the name of the breaker
     * @param state its state
     * @param critical whether the service is degraded while it is not closed
     * @param timeInState how long it had been in that state
     * @param failureRatio failures by calls in its window, 0 to 1; when it is not closed, those that led to it
     * @param nextProbe when open: how long until the next call probes, zero when it does; else empty
     */
    public record Circuit(
            String name,
            CircuitState state,
            boolean critical,
            Duration timeInState,
            double failureRatio,
            Optional<Duration> nextProbe) {}
}
