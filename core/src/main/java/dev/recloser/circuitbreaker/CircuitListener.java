package dev.recloser.circuitbreaker;

import dev.recloser.OutcomeClass;

/**
 * Is told what happens to a circuit. Every method does nothing unless overridden; what one throws is logged and changes no
 * outcome.
 */
public interface CircuitListener {

    /**
     * The circuit has gone from one state to another. All transitions come, in the order in which they happened, on the engine's
     * executor; a listener that takes its time delays neither calls nor other listeners.
     */
    default void transitioned(CircuitTransition transition) {}

    /**
     * The call on this thread has brought a transition about. Comes besides {@link #transitioned}, at once and on the thread of the call, so
     * with its context, such as a trace; therefore it must be quick, and comes in no promised order.
     */
    default void caused(CircuitTransition transition) {}

    /** A call was rejected. Comes on the thread of the call, in no promised order. */
    default void rejected(CircuitBreaker breaker) {}

    /**
     * An outcome came after the circuit had left the state in which the call was admitted, and changed nothing. Comes on the
     * thread of the call, in no promised order.
     */
    default void late(CircuitBreaker breaker, OutcomeClass outcome) {}

    /** A probe did not end within its lease. Comes on the thread of the call that noticed, in no promised order. */
    default void probeLost(CircuitBreaker breaker) {}
}
