package dev.recloser.examples.http;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.examples.http.Svg.Anchor;
import dev.recloser.examples.http.Svg.Point;
import dev.recloser.examples.http.Timeline.Change;
import dev.recloser.examples.http.Timeline.Span;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The picture of a run: what became of the calls, what the service got of them, how many ran at a time, and the circuit. */
public final class FaultsPlot {

    private static final int WIDTH = 1240;
    private static final int HEIGHT = 860;
    private static final double LEFT = 70;
    private static final double PANEL_WIDTH = WIDTH - LEFT - 30;
    private static final double PHASES_TOP = 62;
    private static final double CALLS_TOP = 130;
    private static final double CALLS_HEIGHT = 220;
    private static final double ATTEMPTS_TOP = 405;
    private static final double ATTEMPTS_HEIGHT = 150;
    private static final double FLIGHT_TOP = 610;
    private static final double FLIGHT_HEIGHT = 110;
    private static final double CIRCUIT_TOP = 775;
    private static final double CIRCUIT_HEIGHT = 24;

    private static final String INK = "#222222";
    private static final String GREEN = "#57a773";
    private static final String RED = "#d1495b";
    private static final String AMBER = "#edae49";
    private static final String BLUE = "#30638e";
    private static final String GREY = "#9aa5b1";

    private final Timeline timeline;
    private final List<Sample> samples;
    private final Svg svg = new Svg(WIDTH, HEIGHT);
    private final double seconds;

    private FaultsPlot(Timeline timeline) {
        this.timeline = timeline;
        this.samples = timeline.samples();
        this.seconds = timeline.length().toMillis() / 1000.0;
    }

    /** The picture as SVG. */
    public static String of(Timeline timeline) {
        FaultsPlot plot = new FaultsPlot(timeline);
        plot.draw();
        return plot.svg.toString();
    }

    private void draw() {
        svg.title(new Point(LEFT, 34), 19, "Recloser's HTTP client, and a service with faults");
        phases();
        calls();
        attempts();
        flight();
        circuit();
    }

    private void phases() {
        for (Span span : timeline.spans()) {
            double x = x(span.fromMillis());
            double width = x(span.toMillis()) - x;
            svg.rectangle(
                    x,
                    PHASES_TOP,
                    width,
                    CIRCUIT_TOP + CIRCUIT_HEIGHT - PHASES_TOP,
                    shade(span.phase().fault()));
            svg.text(
                    new Point(x + width / 2, PHASES_TOP + 19),
                    Anchor.MIDDLE,
                    INK,
                    span.phase().name());
            svg.line(new Point(x, PHASES_TOP), new Point(x, CIRCUIT_TOP + CIRCUIT_HEIGHT), GREY, x > LEFT ? 1 : 0);
        }
    }

    private static String shade(Fault fault) {
        return switch (fault) {
            case NONE -> "#f4f8f5";
            case SLOW -> "#fdf3dc";
            case SOME_UNAVAILABLE -> "#fbeee0";
            case DOWN -> "#f9e3e5";
        };
    }

    private void calls() {
        Panel panel = panel(CALLS_TOP, CALLS_HEIGHT, most(sample -> Math.max(sample.offered(), sample.ended())));
        panel.grid("calls per second, by how they ended");
        ToDoubleFunction<Sample> nothing = sample -> 0;
        ToDoubleFunction<Sample> answered = sample -> Sample.perSecond(sample.answered());
        ToDoubleFunction<Sample> failed = sample -> Sample.perSecond(sample.answered() + sample.failed());
        ToDoubleFunction<Sample> limited =
                sample -> Sample.perSecond(sample.answered() + sample.failed() + sample.rejectedByLimiter());
        ToDoubleFunction<Sample> ended = sample -> Sample.perSecond(sample.ended());
        panel.between(samples, nothing, answered, GREEN);
        panel.between(samples, answered, failed, RED);
        panel.between(samples, failed, limited, AMBER);
        panel.between(samples, limited, ended, GREY);
        panel.steps(samples, sample -> Sample.perSecond(sample.offered()), INK);
        panel.legend(INK, "calls made");
        panel.legend(GREY, "rejected by the circuit");
        panel.legend(AMBER, "rejected by the limiter");
        panel.legend(RED, "failed");
        panel.legend(GREEN, "answered with 200");
    }

    private void attempts() {
        Panel panel =
                panel(ATTEMPTS_TOP, ATTEMPTS_HEIGHT, most(sample -> Math.max(sample.offered(), sample.attempts())));
        panel.grid("attempts per second, retries and probes included");
        panel.between(samples, sample -> 0, sample -> Sample.perSecond(sample.attempts()), "#a9c1d6");
        panel.steps(samples, sample -> Sample.perSecond(sample.attempts()), BLUE);
        panel.steps(samples, sample -> Sample.perSecond(sample.offered()), INK);
        panel.legend(INK, "calls made");
        panel.legend(BLUE, "attempts to reach the service");
    }

    private void flight() {
        Panel panel = panel(FLIGHT_TOP, FLIGHT_HEIGHT, FaultsRun.LIMIT);
        panel.grid("attempts at a time, at most");
        panel.between(samples, sample -> 0, Sample::mostInFlight, "#a9c1d6");
        panel.steps(samples, Sample::mostInFlight, BLUE);
        panel.limit(FaultsRun.LIMIT, RED);
        panel.legend(RED, "limit of " + FaultsRun.LIMIT);
    }

    private void circuit() {
        Panel panel = panel(CIRCUIT_TOP, CIRCUIT_HEIGHT, 1);
        svg.title(new Point(LEFT, CIRCUIT_TOP - 10), 14, "circuit");
        Change state = new Change(0, CircuitState.CLOSED);
        for (Change next : timeline.changes()) {
            circuit(state, next.atMillis());
            state = next;
        }
        circuit(state, timeline.length().toMillis());
        panel.timeAxis();
        panel.legend(colour(CircuitState.OPEN), "open");
        panel.legend(colour(CircuitState.HALF_OPEN), "half-open");
        panel.legend(colour(CircuitState.CLOSED), "closed");
    }

    /** A probe that is answered soon would hardly be seen. */
    private void circuit(Change state, long untilMillis) {
        double from = x(state.atMillis());
        double width = Math.max(x(untilMillis) - from, state.to() == CircuitState.HALF_OPEN ? 2 : 0);
        svg.rectangle(from, CIRCUIT_TOP, width, CIRCUIT_HEIGHT, colour(state.to()));
    }

    private static String colour(CircuitState state) {
        return switch (state) {
            case CLOSED -> GREEN;
            case HALF_OPEN -> AMBER;
            case OPEN, ISOLATED -> RED;
        };
    }

    private Panel panel(double top, double height, double most) {
        return new Panel(svg, LEFT, top, PANEL_WIDTH, height, most, seconds);
    }

    private double x(long millis) {
        return LEFT + PANEL_WIDTH * millis / (1000 * seconds);
    }

    private double most(ToDoubleFunction<Sample> number) {
        double most = samples.stream().mapToDouble(number).max().orElse(0);
        return most * 1000.0 / Sample.LENGTH.toMillis();
    }
}
