package dev.recloser.telemetry;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import java.util.Locale;

/** Says in words what a transition of a circuit was, with the numbers that led to it. */
public final class TransitionText {

    private TransitionText() {}

    /** What happened and why, such as {@code opened: 5 of 10 calls failed (ratio 0.50); next probe in 30 s}. */
    public static String describe(CircuitTransition transition) {
        return event(transition) + ": " + why(transition);
    }

    /** What happened, in a word or two. */
    public static String event(CircuitTransition transition) {
        return switch (transition.to()) {
            case CLOSED -> "closed";
            case OPEN -> transition.reopenings() == 0 ? "opened" : "opened again";
            case HALF_OPEN -> "half-open";
            case ISOLATED -> "isolated";
        };
    }

    /** Why it happened, and what comes of it. */
    public static String why(CircuitTransition transition) {
        return switch (transition.reason()) {
            case FAILURES -> count(transition) + "; " + nextProbe(transition);
            case SLOW_CALLS ->
                transition.slowCalls() + " of " + transition.timedCalls() + " calls were slow; "
                        + nextProbe(transition);
            case BREAK_OVER -> "the break is over, and this call is the probe";
            case PROBES_SUCCEEDED -> "the probe succeeded; counting starts anew";
            case PROBE_FAILED -> "the probe failed" + times(transition) + "; " + nextProbe(transition);
            case PROBE_INCONCLUSIVE -> "the probe proved nothing; " + nextProbe(transition);
            case BY_HAND -> byHand(transition);
        };
    }

    private static String count(CircuitTransition transition) {
        String ratio = String.format(Locale.ROOT, "%.2f", transition.failureRatio());
        return transition.failures() + " of " + transition.calls() + " calls failed (ratio " + ratio + ")";
    }

    private static String nextProbe(CircuitTransition transition) {
        return "next probe in "
                + SettingsCheck.readable(
                        Duration.ofMillis(transition.breakDuration().toMillis()));
    }

    private static String times(CircuitTransition transition) {
        return transition.reopenings() < 2 ? "" : ", " + transition.reopenings() + " in a row";
    }

    private static String byHand(CircuitTransition transition) {
        return transition.to() == CircuitState.ISOLATED
                ? "by hand; every call is rejected until somebody closes it"
                : "by hand; counting starts anew";
    }
}
