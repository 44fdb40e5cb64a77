package dev.recloser.telemetry;

import dev.recloser.CircuitIsolatedException;
import dev.recloser.CircuitOpenException;
import dev.recloser.LimitReachedException;
import dev.recloser.RateExceededException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import java.util.Locale;

/** Why a strategy rejected a call, for those who count. */
public enum RejectionReason {
    /** The circuit is open, or half-open and its probe is running. */
    CIRCUIT_OPEN,
    /** The circuit was isolated by hand. */
    CIRCUIT_ISOLATED,
    /** As many calls are running, or waiting, as may. */
    LIMIT_REACHED,
    /** As many calls have begun as may within the time. */
    RATE_EXCEEDED,
    /** A strategy of one's own. */
    OTHER;

    /** The reason of a rejection, such as a {@link CircuitOpenException}. */
    public static RejectionReason of(Throwable rejection) {
        if (rejection instanceof CircuitOpenException) {
            return CIRCUIT_OPEN;
        } else if (rejection instanceof CircuitIsolatedException) {
            return CIRCUIT_ISOLATED;
        } else if (rejection instanceof LimitReachedException) {
            return LIMIT_REACHED;
        }
        return rejection instanceof RateExceededException ? RATE_EXCEEDED : OTHER;
    }

    /** Why a circuit rejects at this moment, if it does. */
    public static RejectionReason of(CircuitBreaker breaker) {
        return breaker.state() == CircuitState.ISOLATED ? CIRCUIT_ISOLATED : CIRCUIT_OPEN;
    }

    /** The name in metrics, such as {@code circuit_open}. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
