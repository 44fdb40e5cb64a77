package dev.recloser.circuitbreaker;

import dev.recloser.spi.SettingsCheck;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a circuit stays open.
 *
 * @param duration the first break
 * @param growth how it grows
 * @param ownMaximum as long as it can become by growing, or by being asked for; null for the default
 * @param jitter how much of it is left to chance
 * @param asked reads from the outcome how long it is asked to be, if it does
 */
record BreakSettings(
        Duration duration,
        BreakGrowth growth,
        @Nullable Duration ownMaximum,
        double jitter,
        @Nullable BreakFunction<Object> asked) {

    private static final Logger LOG = System.getLogger("dev.recloser.circuitbreaker");

    private static final Duration DEFAULT_MAXIMUM = Duration.ofMinutes(5);

    static final Duration SHORTEST = Duration.ofNanos(1);
    static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** As long as a break can become; five minutes by default, or as long as the first one if that is longer. */
    Duration maximum() {
        if (ownMaximum != null) {
            return ownMaximum;
        }
        return duration.compareTo(DEFAULT_MAXIMUM) > 0 ? duration : DEFAULT_MAXIMUM;
    }

    private boolean canBecomeLonger() {
        return growth != BreakGrowth.NONE || asked != null;
    }

    void check(SettingsCheck check) {
        check.range("breakDuration", duration, SHORTEST, LONGEST)
                .require(jitter >= 0 && jitter <= 1, "breakJitter", jitter, "from 0 to 1");
        if (ownMaximum != null) {
            check.require(
                            canBecomeLonger(),
                            "maximumBreakDuration",
                            "set alone",
                            "set together with breakGrowth or breakDurationFrom")
                    .require(
                            ownMaximum.compareTo(duration) >= 0,
                            "maximumBreakDuration",
                            SettingsCheck.readable(ownMaximum),
                            "at least the breakDuration of " + SettingsCheck.readable(duration));
        }
    }

    void describe(Map<String, String> settings) {
        settings.put("breakDuration", SettingsCheck.readable(duration));
        settings.put("breakGrowth", growth.toString());
        settings.put("breakJitter", String.valueOf(jitter));
        if (canBecomeLonger()) {
            settings.put("maximumBreakDuration", SettingsCheck.readable(maximum()));
        }
        settings.put("breakDurationFrom", asked == null ? "nothing" : "the outcome");
    }

    /** The break of an opening: not shorter than its outcome asks for, up to the maximum. */
    long nanos(int reopenings, @Nullable Object value, @Nullable Throwable error, DoubleSupplier random) {
        return Math.max(nanos(reopenings, random), askedNanos(value, error));
    }

    /** The break by growth alone, shortened by chance after it was capped, so that it is spread at the maximum too. */
    long nanos(int reopenings, DoubleSupplier random) {
        double grown = (double) saturatedNanos(duration) * growth.factor(reopenings);
        double capped = growth == BreakGrowth.NONE ? grown : Math.min(grown, (double) saturatedNanos(maximum()));
        double spread = jitter == 0 ? capped : capped * (1 - jitter * random.getAsDouble());
        // A cast from double saturates.
        return (long) spread;
    }

    private long askedNanos(@Nullable Object value, @Nullable Throwable error) {
        if (asked == null) {
            return 0;
        }
        try {
            Optional<Duration> answer = asked.breakFor(value, error);
            return answer.map(length -> Math.min(saturatedNanos(length), saturatedNanos(maximum())))
                    .orElse(0L);
        } catch (Throwable e) {
            LOG.log(Logger.Level.WARNING, "the function that reads a break from an outcome threw", e);
            return 0;
        }
    }

    static long saturatedNanos(Duration duration) {
        return duration.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }
}
