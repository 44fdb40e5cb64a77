package dev.recloser.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table in plain text: the first column to the left, the others, which hold numbers, to the right. */
public final class Table {

    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    /** A table whose first column has the title of all of it. */
    public Table(String title, String... columns) {
        row(title, columns);
    }

    /** Adds a row. */
    public void row(String name, String... cells) {
        List<String> row = new ArrayList<>();
        row.add(name);
        row.addAll(List.of(cells));
        rows.add(row);
    }

    /** A number with so many digits after the point, the same on every machine. */
    public static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    @Override
    public String toString() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        rows.forEach(row -> append(text, row, widths));
        return text.toString();
    }

    private static void append(StringBuilder text, List<String> row, int[] widths) {
        for (int i = 0; i < row.size(); i++) {
            String padding = " ".repeat(widths[i] - row.get(i).length());
            text.append(i == 0 ? "" : GAP).append(i == 0 ? row.get(i) + padding : padding + row.get(i));
        }
        text.append('\n');
    }
}
