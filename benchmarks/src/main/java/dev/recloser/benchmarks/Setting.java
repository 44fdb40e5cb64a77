package dev.recloser.benchmarks;

import java.util.List;

/** Numbers that say how long a comparison takes. */
public final class Setting {

    private Setting() {}

    /** Whether the arguments ask for a short run. */
    public static boolean isQuick(String[] args) {
        return List.of(args).contains("--quick");
    }

    /** A number that an environment variable may override, to try a comparison out rather than to measure. */
    public static int number(String variable, int otherwise) {
        String value = System.getenv(variable);
        if (value == null || value.isBlank()) {
            return otherwise;
        }
        int number = Integer.parseInt(value.strip());
        if (number < 1) {
            throw new IllegalArgumentException(variable + " is " + value + ", but must be at least 1");
        }
        return number;
    }
}
