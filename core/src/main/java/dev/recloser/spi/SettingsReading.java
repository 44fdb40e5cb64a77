package dev.recloser.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What all readers of written settings share. Thread-safe. */
public final class SettingsReading {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,12}) ?(ms|s|m|h|d)");

    private SettingsReading() {}

    /**
     * Reads a duration, such as {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h} or {@code 1d}.
     *
     * @param text a whole number of at most 12 digits, a blank or none, and the unit
     * @return empty if it is none
     */
    public static Optional<Duration> duration(String text) {
        Matcher matcher = DURATION.matcher(text);
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

    /**
     * Finds the name that somebody meant who wrote another one.
     *
     * @param written what was written
     * @param names those that there are
     * @return the nearest one, if one is near
     */
    public static Optional<String> nearestName(String written, Collection<String> names) {
        String plain = plain(written);
        return names.stream()
                .filter(name -> distance(plain, plain(name)) <= tolerance(plain) || isPart(plain, plain(name)))
                .min(Comparator.<String>comparingInt(name -> distance(plain, plain(name)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** One slip in a short word, more in a longer one. */
    private static int tolerance(String word) {
        return Math.max(1, (word.length() + 1) / 3);
    }

    private static boolean isPart(String written, String name) {
        boolean longEnough = Math.min(written.length(), name.length()) > 3;
        return longEnough && (name.contains(written) || written.contains(name));
    }

    /** {@code failureRatio}, {@code failure_ratio} and {@code Failure-Ratio} are one. */
    private static String plain(String name) {
        return name.replaceAll("[-_. ]", "").toLowerCase(Locale.ROOT);
    }

    /** How many letters must be added, taken away, replaced or swapped with their neighbour to make one word of the other. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(int[][] cost, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int replaced = cost[i - 1][j - 1] + (same ? 0 : 1);
        int best = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
