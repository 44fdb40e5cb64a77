package dev.recloser.telemetry;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import java.util.Locale;

/** Says in words what a transition of a circuit was, with the numbers that led to it. */
public final class TransitionText {

    private TransitionText() {}

    /** What happened and why, such as {@code opened: 62 % of 120 calls failed; next probe in 30 s}. */
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
            case FAILURES -> share(transition.failures(), transition.calls()) + " failed; " + nextProbe(transition);
            case SLOW_CALLS ->
                share(transition.slowCalls(), transition.timedCalls())
                        + (transition.timedCalls() == 1 ? " was slow; " : " were slow; ")
                        + nextProbe(transition);
            case BREAK_OVER -> "the break is over, and this call is the probe";
            case PROBES_SUCCEEDED -> "the probe succeeded; counting starts anew";
            case PROBE_FAILED -> "the probe failed" + times(transition) + "; " + nextProbe(transition);
            case PROBE_INCONCLUSIVE -> "the probe proved nothing; " + nextProbe(transition);
            case BY_HAND -> byHand(transition);
        };
    }

    private static String share(long counted, long calls) {
        return percentage(counted, calls) + " of " + calls + (calls == 1 ? " call" : " calls");
    }

    /** As the dashboard of the gateway writes it too: 0 only for none, and 100 only for all. */
    private static String percentage(long counted, long calls) {
        if (counted == 0 || counted == calls) {
            return counted == 0 ? "0 %" : "100 %";
        }
        double percentage = 100.0 * counted / calls;
        if (percentage < 0.1) {
            return "<0.1 %";
        } else if (percentage > 99.9) {
            return ">99.9 %";
        }
        return percentage < 10
                ? String.format(Locale.ROOT, "%.1f %%", percentage)
                : Math.min(99, Math.round(percentage)) + " %";
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
