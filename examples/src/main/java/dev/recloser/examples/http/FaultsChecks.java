package dev.recloser.examples.http;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.examples.http.Timeline.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a run must show. Every bound follows from the settings, with some time more for a machine that is busy. */
public final class FaultsChecks {

    /** Until the failures outweigh the successes in the window: an attempt, the window and one of its tenths. */
    private static final Duration OPENS_WITHIN = FaultsRun.ATTEMPT_TIMEOUT
            .plus(FaultsRun.SAMPLING)
            .plus(FaultsRun.SAMPLING.dividedBy(10))
            .plusMillis(500);

    /** At worst the fault ends just after a probe was sent to it. */
    private static final Duration CLOSES_WITHIN =
            FaultsRun.ATTEMPT_TIMEOUT.plus(FaultsRun.BREAK).plusMillis(1000);

    /** In the first half of the ramp a tenth up to 55 % are let in, a third on the whole. */
    private static final double SHARE_OF_FIRST_HALF = 0.5;

    private static final double NEARLY_ALL = 0.95;

    private final Timeline timeline;
    private final List<Check> checks = new ArrayList<>();

    private FaultsChecks(Timeline timeline) {
        this.timeline = timeline;
    }

    /**
     * Something that should have happened.
     *
     * @param what what it is
     * @param holds whether it has happened
     * @param found the number that says so
     */
    public record Check(String what, boolean holds, String found) {}

    /** Looks at a run. */
    public static List<Check> of(Timeline timeline) {
        return new FaultsChecks(timeline).all();
    }

    private List<Check> all() {
        check(
                "calls at a time reached the limit of " + FaultsRun.LIMIT + " and never exceeded it",
                timeline.mostInFlight() == FaultsRun.LIMIT,
                "%d at most",
                timeline.mostInFlight());
        List<Span> spans = timeline.spans();
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            switch (span.phase().fault()) {
                case NONE -> {
                    if (i > 0 && isFatal(spans.get(i - 1))) {
                        recovers(span, spans.get(i - 1));
                    } else {
                        answersNearlyAll(span, span.fromMillis());
                    }
                }
                case SOME_UNAVAILABLE -> staysClosed(span);
                case SLOW, DOWN -> opensAndLeavesAlone(span);
            }
        }
        return List.copyOf(checks);
    }

    private static boolean isFatal(Span span) {
        return span.phase().fault() == Fault.SLOW || span.phase().fault() == Fault.DOWN;
    }

    private void opensAndLeavesAlone(Span span) {
        Optional<Long> opened = timeline.firstChange(CircuitState.OPEN, span.fromMillis(), span.toMillis());
        check(
                span.phase().name() + ": the circuit opened within " + OPENS_WITHIN.toMillis() + " ms",
                opened.isPresent() && opened.get() - span.fromMillis() <= OPENS_WITHIN.toMillis(),
                "%s",
                opened.map(at -> at - span.fromMillis() + " ms").orElse("not at all"));
        long from = opened.orElse(span.fromMillis());
        long probes = timeline.changes(CircuitState.HALF_OPEN, from, span.toMillis());
        long attempts = timeline.sum(from, span.toMillis(), Sample::attempts);
        check(
                span.phase().name() + ": while it was open, nothing but probes was sent",
                probes > 0 && attempts <= probes,
                "%d attempts, %d probes, %d calls",
                attempts,
                probes,
                timeline.sum(from, span.toMillis(), Sample::offered));
    }

    private void recovers(Span span, Span before) {
        String name = "after " + before.phase().name();
        Optional<Long> closed = timeline.firstChange(CircuitState.CLOSED, span.fromMillis(), span.toMillis());
        check(
                name + ": the circuit closed within " + CLOSES_WITHIN.toMillis() + " ms",
                closed.isPresent() && closed.get() - span.fromMillis() <= CLOSES_WITHIN.toMillis(),
                "%s",
                closed.map(at -> at - span.fromMillis() + " ms").orElse("not at all"));
        long from = closed.orElse(span.fromMillis());
        long half = from + FaultsRun.RAMP_UP.toMillis() / 2;
        double share = (double) timeline.sum(from, half, Sample::attempts) / timeline.sum(from, half, Sample::offered);
        check(
                name + ": traffic came back by degrees, at most half of it in the first half of the ramp",
                share <= SHARE_OF_FIRST_HALF,
                "%.0f %%",
                100 * share);
        long attempts = timeline.sum(span.fromMillis(), span.toMillis(), Sample::attempts);
        long offered = timeline.sum(span.fromMillis(), span.toMillis(), Sample::offered);
        check(
                name + ": no surge, never more attempts than calls",
                attempts <= offered,
                "%d attempts, %d calls",
                attempts,
                offered);
        answersNearlyAll(span, from + FaultsRun.RAMP_UP.plusMillis(500).toMillis());
    }

    private void staysClosed(Span span) {
        check(
                span.phase().name() + ": the circuit stayed closed",
                timeline.changes(CircuitState.OPEN, span.fromMillis(), span.toMillis()) == 0,
                "%.0f %% of the attempts failed",
                100.0 / FaultyService.UNAVAILABLE_EVERY);
        answersNearlyAll(span, span.fromMillis());
    }

    /** Where nothing is wrong the limiter rejects calls only if the machine is too busy for them. */
    private void answersNearlyAll(Span span, long from) {
        long admitted = timeline.sum(from, span.toMillis(), sample -> sample.ended() - sample.rejectedByLimiter());
        double share = (double) timeline.sum(from, span.toMillis(), Sample::answered) / admitted;
        check(
                "%s at %d s: nearly all calls that the limiter let in were answered with 200"
                        .formatted(span.phase().name(), from / 1000),
                share >= NEARLY_ALL,
                "%.1f %% of %d",
                100 * share,
                admitted);
    }

    private void check(String what, boolean holds, String found, Object... values) {
        checks.add(new Check(what, holds, String.format(Locale.ROOT, found, values)));
    }
}
