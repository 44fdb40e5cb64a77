package dev.recloser.examples.http;

import dev.recloser.examples.http.Svg.Anchor;
import dev.recloser.examples.http.Svg.Point;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** One diagram over time: its axes, and what is drawn into them. All samples have the same width. */
final class Panel {

    private static final String GRID = "#d9dde3";
    private static final String INK = "#444b55";
    private static final int TICKS = 4;
    private static final double LEGEND_SQUARE = 11;
    private static final double LETTER = 7.3;

    private final Svg svg;
    private final double left;
    private final double top;
    private final double width;
    private final double height;
    private final double highest;
    private final double seconds;
    private double legendEnd;

    /**
     * An empty one, with a grid.
     *
     * @param top where it begins
     * @param height how high it is
     * @param most the highest value that it must show
     */
    Panel(Svg svg, double left, double top, double width, double height, double most, double seconds) {
        this.svg = svg;
        this.left = left;
        this.top = top;
        this.width = width;
        this.height = height;
        this.highest = roundUp(most);
        this.seconds = seconds;
        this.legendEnd = left + width;
    }

    /** To four times 1, 2, 2.5 or 5 of some power of ten. */
    private static double roundUp(double most) {
        double step = Math.pow(10, Math.floor(Math.log10(Math.max(most, 1) / TICKS)));
        for (double factor : new double[] {1, 2, 2.5, 5}) {
            if (TICKS * factor * step >= most) {
                return TICKS * factor * step;
            }
        }
        return TICKS * 10 * step;
    }

    double x(long millis) {
        return left + width * millis / (1000 * seconds);
    }

    private double y(double value) {
        return top + height - height * value / highest;
    }

    /** The lines behind, with their values, and a title above. */
    void grid(String title) {
        svg.title(new Point(left, top - 10), 14, title);
        for (int tick = 0; tick <= TICKS; tick++) {
            double value = highest * tick / TICKS;
            svg.line(new Point(left, y(value)), new Point(left + width, y(value)), GRID, 1);
            svg.text(new Point(left - 8, y(value) + 4), Anchor.END, INK, number(value));
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** The seconds below. */
    void timeAxis() {
        int step = seconds > 30 ? 5 : 1;
        double bottom = top + height;
        for (int second = 0; second <= seconds; second += step) {
            double x = x(1000L * second);
            svg.line(new Point(x, bottom), new Point(x, bottom + 5), INK, 1);
            svg.text(new Point(x, bottom + 20), Anchor.MIDDLE, INK, Integer.toString(second));
        }
        svg.text(new Point(left + width / 2, bottom + 40), Anchor.MIDDLE, INK, "seconds since the start");
    }

    /** Adds an entry, to the left of those that are there. */
    void legend(String colour, String text) {
        legendEnd -= text.length() * LETTER;
        svg.text(new Point(legendEnd, top - 10), Anchor.START, INK, text);
        legendEnd -= LEGEND_SQUARE + 5;
        svg.rectangle(legendEnd, top - 10 - LEGEND_SQUARE + 1, LEGEND_SQUARE, LEGEND_SQUARE, colour);
        legendEnd -= 16;
    }

    /** A line in steps, a value per sample. */
    void steps(List<Sample> samples, ToDoubleFunction<Sample> value, String colour) {
        svg.path(outline(samples, value), colour);
    }

    /** What lies between two lines in steps. */
    void between(List<Sample> samples, ToDoubleFunction<Sample> lower, ToDoubleFunction<Sample> upper, String colour) {
        List<Point> points = outline(samples, upper);
        List<Point> back = outline(samples, lower);
        Collections.reverse(back);
        points.addAll(back);
        svg.area(points, colour);
    }

    private List<Point> outline(List<Sample> samples, ToDoubleFunction<Sample> value) {
        List<Point> points = new ArrayList<>();
        for (Sample sample : samples) {
            double y = y(value.applyAsDouble(sample));
            points.add(new Point(x(sample.fromMillis()), y));
            points.add(new Point(x(sample.toMillis()), y));
        }
        return points;
    }

    /** A line at one value. */
    void limit(double value, String colour) {
        svg.dashes(new Point(left, y(value)), new Point(left + width, y(value)), colour);
    }
}
