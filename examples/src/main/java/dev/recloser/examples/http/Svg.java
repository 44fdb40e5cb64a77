package dev.recloser.examples.http;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A picture as text, in the format SVG. Coordinates are pixels, from the upper left corner. Not thread-safe. */
final class Svg {

    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\""
                        + " font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">",
                width, height);
        rectangle(0, 0, width, height, "#ffffff");
    }

    record Point(double x, double y) {}

    /** Where a text stands in relation to its point. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    void rectangle(double x, double y, double width, double height, String colour) {
        add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y, width, height, colour);
    }

    void line(Point from, Point to, String colour, double width) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
                from.x(), from.y(), to.x(), to.y(), colour, width);
    }

    void dashes(Point from, Point to, String colour) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"1.5\""
                        + " stroke-dasharray=\"6 4\"/>",
                from.x(), from.y(), to.x(), to.y(), colour);
    }

    /** A line through all points. */
    void path(List<Point> points, String colour) {
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>",
                joined(points), colour);
    }

    /** What the points enclose. */
    void area(List<Point> points, String colour) {
        add("<polygon points=\"%s\" fill=\"%s\"/>", joined(points), colour);
    }

    void text(Point at, Anchor anchor, String colour, String what) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                at.x(), at.y(), anchor.name().toLowerCase(Locale.ROOT), colour, escaped(what));
    }

    void title(Point at, int size, String what) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" font-weight=\"bold\" fill=\"#222222\">%s</text>",
                at.x(), at.y(), size, escaped(what));
    }

    private static String joined(List<Point> points) {
        return points.stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point.x(), point.y()))
                .collect(Collectors.joining(" "));
    }

    private static String escaped(String what) {
        return what.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    @Override
    public String toString() {
        return text + "</svg>\n";
    }
}
