package dev.recloser.gateway.ops;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule of Prometheus.
 *
 * @param name of the alert, or of the series that it records
 * @param isAlert which of the two
 * @param expression what it asks
 * @param holding how long it must hold before an alert fires; empty where nothing is said
 * @param labels what it adds to the labels of the series
 * @param annotations what it tells
 */
record Rule(
        String name,
        boolean isAlert,
        String expression,
        String holding,
        Map<String, String> labels,
        Map<String, String> annotations) {

    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
    private static final Pattern DURATION = Pattern.compile("([0-9]+)(s|m|h)\\b");

    /** The same with ranges in which a minute takes a second. */
    String quickExpression() {
        return RANGE.matcher(expression).replaceAll(range -> Matcher.quoteReplacement(quick(range.group())));
    }

    /** The same time, in which a minute takes a second. */
    String quickHolding() {
        return quick(holding);
    }

    private static String quick(String durations) {
        return DURATION.matcher(durations).replaceAll(found -> {
            int number = Integer.parseInt(found.group(1));
            return switch (found.group(2)) {
                case "s" -> number * 1000 / 60 + "ms";
                case "m" -> number + "s";
                default -> number + "m";
            };
        });
    }
}
