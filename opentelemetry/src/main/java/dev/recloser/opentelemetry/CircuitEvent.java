package dev.recloser.opentelemetry;

import dev.recloser.circuitbreaker.CircuitState;

/** What happens to a circuit, as it stands in metrics and traces. */
enum CircuitEvent {
    OPENED,
    HALF_OPENED,
    CLOSED,
    ISOLATED,
    /** An outcome came too late to count. */
    LATE,
    /** A probe did not end within its lease. */
    PROBE_LOST;

    /** The circuit came into a state. */
    static CircuitEvent into(CircuitState state) {
        return switch (state) {
            case OPEN -> OPENED;
            case HALF_OPEN -> HALF_OPENED;
            case CLOSED -> CLOSED;
            case ISOLATED -> ISOLATED;
        };
    }
}
