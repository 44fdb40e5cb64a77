package dev.recloser.gateway.config;

import java.time.Duration;

/** Writes durations as the configuration has them: {@code 500ms}, {@code 10s}, {@code 2m}. */
public final class Durations {

    private static final int SECONDS_A_MINUTE = 60;
    private static final int SECONDS_AN_HOUR = 3600;
    private static final int SECONDS_A_DAY = 86_400;

    private Durations() {}

    /** The duration in the largest unit of which it is a whole number, in whole milliseconds at least. */
    public static String write(Duration duration) {
        long seconds = duration.toSeconds();
        if (duration.toMillisPart() != 0 || seconds == 0) {
            return duration.toMillis() + "ms";
        } else if (seconds % SECONDS_A_DAY == 0) {
            return seconds / SECONDS_A_DAY + "d";
        } else if (seconds % SECONDS_AN_HOUR == 0) {
            return seconds / SECONDS_AN_HOUR + "h";
        } else if (seconds % SECONDS_A_MINUTE == 0) {
            return seconds / SECONDS_A_MINUTE + "m";
        }
        return seconds + "s";
    }
}
