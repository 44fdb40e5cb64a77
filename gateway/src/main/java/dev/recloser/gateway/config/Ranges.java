package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads values that must be within a range. What is not there, or wrong, which is a finding, has its default. */
final class Ranges {

    private static final Duration LONGEST = Duration.ofDays(1);

    private final Findings findings;
    private final Scalars scalars;

    Ranges(Findings findings) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
    }

    /** From 1 to a limit. */
    int wholeNumber(Section section, String key, int most, int byDefault) {
        return wholeNumber(section, key, 1, most, byDefault);
    }

    /** From 0 to a limit. */
    int wholeNumberOrNone(Section section, String key, int most, int byDefault) {
        return wholeNumber(section, key, 0, most, byDefault);
    }

    private int wholeNumber(Section section, String key, int least, int most, int byDefault) {
        Optional<Entry> entry = section.optional(key);
        OptionalInt number = entry.map(scalars::wholeNumber).orElse(OptionalInt.empty());
        if (entry.isPresent() && number.isPresent() && (number.getAsInt() < least || number.getAsInt() > most)) {
            outOfRange(entry.get(), "from " + least + " to " + most);
        }
        return number.orElse(byDefault);
    }

    /** More than 0 and at most 1. */
    double ratio(Section section, String key, double byDefault) {
        Optional<Entry> entry = section.optional(key);
        OptionalDouble ratio = entry.map(scalars::ratio).orElse(OptionalDouble.empty());
        if (entry.isPresent() && ratio.isPresent() && !(ratio.getAsDouble() > 0 && ratio.getAsDouble() <= 1)) {
            outOfRange(entry.get(), "more than 0 and at most 1");
        }
        return ratio.orElse(byDefault);
    }

    /** More than 0, and at most a day. */
    Duration duration(Section section, String key, Duration byDefault) {
        return duration(section, key).orElse(byDefault);
    }

    /** The same, without a default. */
    Optional<Duration> duration(Section section, String key) {
        return section.optional(key).flatMap(entry -> scalars.duration(entry, LONGEST));
    }

    /** At least something, and at most a day. */
    Duration duration(Section section, String key, Duration least, Duration byDefault) {
        Optional<Entry> entry = section.optional(key);
        Optional<Duration> duration = entry.flatMap(scalars::duration);
        boolean wrong = duration.isPresent()
                && (duration.get().compareTo(least) < 0 || duration.get().compareTo(LONGEST) > 0);
        if (entry.isPresent() && wrong) {
            outOfRange(entry.get(), "from " + Durations.write(least) + " to " + Durations.write(LONGEST));
        }
        return duration.orElse(byDefault);
    }

    /** From one size to another, in bytes; without a default. */
    OptionalLong size(Section section, String key, long least, long most) {
        Optional<Entry> entry = section.optional(key);
        OptionalLong size = entry.map(scalars::size).orElse(OptionalLong.empty());
        if (entry.isPresent() && size.isPresent() && (size.getAsLong() < least || size.getAsLong() > most)) {
            outOfRange(entry.get(), "from " + written(least) + " to " + written(most));
            return OptionalLong.empty();
        }
        return size;
    }

    /** As it is written: in the largest unit that fits. */
    private static String written(long bytes) {
        int shift = Math.min(30, Long.numberOfTrailingZeros(bytes) / 10 * 10);
        return (bytes >> shift) + List.of("B", "KiB", "MiB", "GiB").get(shift / 10);
    }

    private void outOfRange(Entry entry, String range) {
        findings.error(
                entry.value(), entry.key() + " is " + scalars.text(entry).orElse("nothing") + "; it must be " + range);
    }
}
