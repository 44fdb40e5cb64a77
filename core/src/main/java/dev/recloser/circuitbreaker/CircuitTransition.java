package dev.recloser.circuitbreaker;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A circuit has gone from one state to another, with the numbers that led to it.
 *
 * @param circuit the name of the breaker
 * @param from the state that was left
 * @param to the state that was entered
 * @param reason why
 * @param calls what the window had counted: successes and failures; when the circuit closes, what led to its opening
 * @param failures of those, the failures
 * @param timedCalls what the window of the rule for slow calls had counted; zero without such a rule
 * @param slowCalls of those, the slow ones
 * @param breakDuration when the new state is open: how long until a probe is possible; else zero
 * @param reopenings openings in a row without a closing in between, the first not counted
 * @param cause when the new state is open: the exception that led to it, or if that was a value, the one that opened the circuit
 *     before; else empty
 * @param at when, on the wall clock
 */
public record CircuitTransition(
        String circuit,
        CircuitState from,
        CircuitState to,
        Reason reason,
        long calls,
        long failures,
        long timedCalls,
        long slowCalls,
        Duration breakDuration,
        int reopenings,
        Optional<Throwable> cause,
        Instant at) {

    /** Why a circuit changes its state. */
    public enum Reason {
        /** As many failures as the rule names. */
        FAILURES,
        /** As many slow calls as the rule names. */
        SLOW_CALLS,
        /** A call came after the break, and became the probe. */
        BREAK_OVER,
        /** As many probes as needed have succeeded. */
        PROBES_SUCCEEDED,
        /** A probe failed. */
        PROBE_FAILED,
        /** A probe ended in an outcome that is ignored, and no other was running or had succeeded. */
        PROBE_INCONCLUSIVE,
        /** Somebody isolated or closed the circuit. */
        BY_HAND
    }

    /** Failures by calls; zero when nothing was counted. */
    public double failureRatio() {
        return calls == 0 ? 0 : (double) failures / calls;
    }

    /** Slow calls by calls that were timed; zero when nothing was counted. */
    public double slowCallRatio() {
        return timedCalls == 0 ? 0 : (double) slowCalls / timedCalls;
    }

    static CircuitTransition of(String circuit, State from, State to, Reason reason, Instant at) {
        State counted = to instanceof Open || to instanceof HalfOpen ? to : from;
        Tally tally = counted.tally(to.since);
        Tally slow = counted.slowTally(to.since);
        Open opening = to instanceof Open open ? open : null;
        return new CircuitTransition(
                circuit,
                from.kind(),
                to.kind(),
                reason,
                tally.calls(),
                tally.failures(),
                slow.calls(),
                slow.failures(),
                opening == null ? Duration.ZERO : Duration.ofNanos(opening.restNanos(opening.since)),
                to.reopenings(),
                opening == null ? Optional.empty() : Optional.ofNullable(opening.cause()),
                at);
    }
}
