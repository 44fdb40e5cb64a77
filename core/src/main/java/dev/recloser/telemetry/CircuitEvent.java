package dev.recloser.telemetry;

import dev.recloser.circuitbreaker.CircuitState;

/** What happens to a circuit, for those who count and trace. */
public enum CircuitEvent {
    /** It was opened, for the first time or again. */
    OPENED,
    /** Its break was over, and a call became the probe. */
    HALF_OPENED,
    /** It was closed. */
    CLOSED,
    /** Somebody isolated it. */
    ISOLATED,
    /** An outcome came too late to count. */
    LATE,
    /** A probe did not end within its lease. */
    PROBE_LOST;

    /** The circuit came into a state. */
    public static CircuitEvent into(CircuitState state) {
        return switch (state) {
            case OPEN -> OPENED;
            case HALF_OPEN -> HALF_OPENED;
            case CLOSED -> CLOSED;
            case ISOLATED -> ISOLATED;
        };
    }
}
