package dev.recloser.gateway.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes durations as the configuration has them: {@code 500ms}, {@code 10s}, {@code 2m}. */
public final class Durations {

    private static final int SECONDS_A_MINUTE = 60;
    private static final int SECONDS_AN_HOUR = 3600;
    private static final int SECONDS_A_DAY = 86_400;

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,12}) ?(ms|s|m|h|d)");

    private Durations() {}

    /** The duration that is written; empty if it is none. */
    public static Optional<Duration> read(String text) {
        Matcher matcher = WRITTEN.matcher(text);
        return matcher.matches()
                ? Optional.of(duration(Long.parseLong(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }

    private static Duration duration(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

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
