package dev.recloser.benchmarks;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a comparison prints: tables, then one line {@code ratio NAME VALUE} for each figure. Progress goes to standard error. */
public final class Report {

    private final Map<String, String> figures = new LinkedHashMap<>();

    /** Begins with where and when it was measured. */
    public Report(String comparison, String settings) {
        System.out.printf(
                "%s, %s, Java %s, %s%n%n", comparison, LocalDate.now(ZoneOffset.UTC), Runtime.version(), settings);
    }

    /** Prints a table. */
    public void print(Table table) {
        System.out.println(table);
    }

    /** Prints what is to be known about the tables. */
    public void print(String note) {
        System.out.println(note + "\n");
    }

    /** Adds a figure, of which lower is better. */
    public void figure(String name, double value) {
        figure(name, value, 2);
    }

    /** Adds a figure with so many digits after the point. */
    public void figure(String name, double value, int digits) {
        figures.put(name, Table.number(value, digits));
    }

    /** Prints the figures; nothing comes after them. */
    public void end() {
        figures.forEach((name, value) -> System.out.println("ratio " + name + " " + value));
    }

    /** Says what is being done. */
    public static void progress(String what) {
        System.err.println(what);
    }
}
