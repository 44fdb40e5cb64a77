package dev.recloser.spi;

import dev.recloser.SettingsException;
import dev.recloser.SettingsException.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Collects everything that is wrong with some settings, so that it can be said at once. Not thread-safe.
 */
public final class SettingsCheck {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final List<Problem> problems = new ArrayList<>();
    private String prefix = "";

    /** A check that has found nothing yet. */
    public SettingsCheck() {}

    /** What stands before the names of the settings checked from now on, such as {@code payments.circuitBreaker}. */
    public SettingsCheck in(String owner) {
        prefix = owner.isEmpty() ? "" : owner + ".";
        return this;
    }

    /** Finds a problem unless the condition holds. */
    public SettingsCheck require(boolean condition, String setting, Object value, String allowed) {
        if (!condition) {
            problems.add(new Problem(prefix + setting, String.valueOf(value), allowed));
        }
        return this;
    }

    /** Finds a problem unless the whole number is within the bounds, both included. */
    public SettingsCheck range(String setting, long value, long from, long to) {
        return require(value >= from && value <= to, setting, value, "from " + from + " to " + to);
    }

    /** Finds a problem unless the duration is within the bounds, both included. */
    public SettingsCheck range(String setting, Duration value, Duration from, Duration to) {
        boolean within = value.compareTo(from) >= 0 && value.compareTo(to) <= 0;
        return require(within, setting, readable(value), "from " + readable(from) + " to " + readable(to));
    }

    /** Finds a problem unless the ratio is more than 0 and at most 1. */
    public SettingsCheck ratio(String setting, double value) {
        return require(value > 0 && value <= 1, setting, value, "more than 0 and at most 1");
    }

    /**
     * Finds a problem unless exactly one of these settings is set.
     *
     * @param settings the settings
     * @param set those of them that are
     */
    public SettingsCheck exactlyOne(Collection<String> settings, Collection<String> set) {
        return set.isEmpty()
                ? require(false, String.join(" or ", settings), "not set", "set")
                : require(set.size() == 1, String.join(" and ", set), "set together", "only one of them");
    }

    /** Everything that was found. */
    public List<Problem> problems() {
        return List.copyOf(problems);
    }

    /** Throws if anything was found. */
    public void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new SettingsException(problems);
        }
    }

    /**
     * Checks settings that stand alone.
     *
     * @param settings finds what is wrong with them
     * @throws SettingsException if it finds anything
     */
    public static void throwIfWrong(Consumer<SettingsCheck> settings) {
        SettingsCheck check = new SettingsCheck();
        settings.accept(check);
        check.throwIfAny();
    }

    /** The duration as a person would write it, such as {@code 1500 ms}. */
    public static String readable(Duration duration) {
        if (duration.compareTo(LONGEST) >= 0) {
            return "292 years";
        }
        if (duration.compareTo(LONGEST.negated()) <= 0) {
            return "-292 years";
        }
        long nanos = duration.toNanos();
        if (nanos % 1_000_000 != 0) {
            return nanos + " ns";
        }
        long millis = nanos / 1_000_000;
        if (millis % 1000 != 0) {
            return millis + " ms";
        }
        long seconds = millis / 1000;
        if (seconds % 86_400 == 0 && seconds != 0) {
            return seconds / 86_400 + " d";
        }
        return seconds + " s";
    }
}
