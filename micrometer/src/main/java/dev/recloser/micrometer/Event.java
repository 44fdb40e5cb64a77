package dev.recloser.micrometer;

import dev.recloser.PipelineEvent;
import dev.recloser.circuitbreaker.CircuitState;
import org.jspecify.annotations.Nullable;

/** What is counted of that which happens to calls and circuits: rejections are not, which have a counter of their own. */
enum Event {
    RETRY,
    RETRIES_EXHAUSTED,
    RETRY_OVER_BUDGET,
    RETRY_TOO_LATE,
    RETRY_INTERRUPTED,
    HEDGE,
    HEDGE_OVER_BUDGET,
    HEDGE_FAILED,
    FALLBACK,
    SUBSTITUTED,
    DELAYED,
    TIMED_OUT,
    ABANDONED,

    OPENED,
    HALF_OPENED,
    CLOSED,
    ISOLATED,
    LATE,
    PROBE_LOST;

    /** What a pipeline tells of; null for a rejection. */
    static @Nullable Event of(PipelineEvent.Kind kind) {
        return switch (kind) {
            case RETRY -> RETRY;
            case RETRIES_EXHAUSTED -> RETRIES_EXHAUSTED;
            case RETRY_OVER_BUDGET -> RETRY_OVER_BUDGET;
            case RETRY_TOO_LATE -> RETRY_TOO_LATE;
            case RETRY_INTERRUPTED -> RETRY_INTERRUPTED;
            case HEDGE -> HEDGE;
            case HEDGE_OVER_BUDGET -> HEDGE_OVER_BUDGET;
            case HEDGE_FAILED -> HEDGE_FAILED;
            case FALLBACK -> FALLBACK;
            case SUBSTITUTED -> SUBSTITUTED;
            case DELAYED -> DELAYED;
            case TIMED_OUT -> TIMED_OUT;
            case ABANDONED -> ABANDONED;
            case REJECTED -> null;
        };
    }

    /** A circuit has entered a state. */
    static Event entered(CircuitState state) {
        return switch (state) {
            case OPEN -> OPENED;
            case HALF_OPEN -> HALF_OPENED;
            case CLOSED -> CLOSED;
            case ISOLATED -> ISOLATED;
        };
    }
}
