package dev.recloser.circuitbreaker;

/** The states of a circuit. */
public enum CircuitState {
    /** Calls go through, and their outcomes are counted. */
    CLOSED,
    /** Calls are rejected. After the break the next one is let through as a probe; nothing happens before a call comes. */
    OPEN,
    /** Probes are running or may run; everyone else is rejected. */
    HALF_OPEN,
    /** Calls are rejected until somebody closes the circuit. */
    ISOLATED
}
