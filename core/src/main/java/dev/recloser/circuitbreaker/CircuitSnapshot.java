package dev.recloser.circuitbreaker;

import java.time.Duration;
import java.util.Optional;

/**
 * What there is to see of a circuit at one moment. All but the totals belong to one state.
 *
 * @param name the name of the breaker
 * @param state the state
 * @param timeInState how long the circuit has been in it
 * @param calls what the window counts: successes and failures; when the circuit is not closed, what led to the opening
 * @param failures of those, the failures
 * @param timedCalls what the window of the rule for slow calls counts; zero without such a rule
 * @param slowCalls of those, the slow ones
 * @param nextProbe when open: how long until the next call probes, zero when it does; when closed, isolated or half-open: empty
 * @param runningProbes probes that are running within their lease
 * @param reopenings openings in a row without a closing in between, the first not counted
 * @param rejected calls rejected since the breaker was made or reset
 * @param late outcomes that came after the state had moved on, since the breaker was made or reset
 * @param lost probes that did not end within their lease, since the breaker was made or reset
 */
public record CircuitSnapshot(
        String name,
        CircuitState state,
        Duration timeInState,
        long calls,
        long failures,
        long timedCalls,
        long slowCalls,
        Optional<Duration> nextProbe,
        int runningProbes,
        int reopenings,
        long rejected,
        long late,
        long lost) {

    /** Failures by calls; zero when nothing was counted. */
    public double failureRatio() {
        return calls == 0 ? 0 : (double) failures / calls;
    }

    /** Slow calls by calls; zero when nothing was counted. */
    public double slowCallRatio() {
        return timedCalls == 0 ? 0 : (double) slowCalls / timedCalls;
    }
}
