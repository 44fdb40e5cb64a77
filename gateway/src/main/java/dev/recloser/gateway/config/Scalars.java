package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import dev.recloser.spi.SettingsReading;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Reads single values: texts, numbers, durations, and lists of them. What is not what it should be is a finding, and empty. */
final class Scalars {

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB)");
    private static final String DURATION_EXAMPLES = "write a number and a unit, such as 500ms, 10s, 2m or 1h";

    private final Findings findings;

    Scalars(Findings findings) {
        this.findings = findings;
    }

    /** What is written, whatever it is. */
    Optional<String> text(Entry entry) {
        return text(entry.key(), entry.value());
    }

    Optional<String> text(String name, Node node) {
        if (node instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
            return Optional.of(scalar.getValue());
        }
        String kind = node instanceof MappingNode ? "a mapping" : node instanceof SequenceNode ? "a list" : "nothing";
        findings.error(node, name + " is " + kind + "; write a single value");
        return Optional.empty();
    }

    /** A list with at least one element. */
    List<Node> list(Entry entry, String example) {
        if (!(entry.value() instanceof SequenceNode sequence)) {
            findings.error(entry.value(), entry.key() + " must be a list; write " + entry.key() + ": " + example);
            return List.of();
        }
        if (sequence.getValue().isEmpty()) {
            findings.error(entry.value(), entry.key() + " is empty; give at least one, such as " + example);
        }
        return sequence.getValue();
    }

    OptionalInt wholeNumber(Entry entry) {
        Optional<String> text = text(entry);
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!WHOLE_NUMBER.matcher(text.get()).matches()) {
            findings.error(
                    entry.value(),
                    entry.key() + " is '" + text.get() + "', which is no whole number; write one such as 5");
            return OptionalInt.empty();
        }
        return OptionalInt.of(saturated(text.get()));
    }

    /** Numbers too large for an int become the largest one, which is as far outside of any range. */
    private static int saturated(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            return digits.startsWith("-") ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
    }

    OptionalDouble ratio(Entry entry) {
        Optional<String> text = text(entry);
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (!DECIMAL.matcher(text.get()).matches()) {
            findings.error(
                    entry.value(), entry.key() + " is '" + text.get() + "', which is no number; write one such as 0.5");
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(Double.parseDouble(text.get()));
    }

    /** A number of bytes, of more than zero. */
    OptionalLong size(Entry entry) {
        Optional<String> text = text(entry);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        Matcher size = SIZE.matcher(text.get());
        if (!size.matches()) {
            findings.error(
                    entry.value(),
                    entry.key() + " is '" + text.get()
                            + "', which is no size; write a whole number and a unit, such as 512KiB or 10MiB");
            return OptionalLong.empty();
        }
        int shift = switch (size.group(2)) {
            case "KiB" -> 10;
            case "MiB" -> 20;
            case "GiB" -> 30;
            default -> 0;
        };
        long bytes = Long.parseLong(size.group(1)) << shift;
        if (bytes == 0) {
            findings.error(entry.value(), entry.key() + " is '" + text.get() + "'; it must be more than 0");
            return OptionalLong.empty();
        }
        return OptionalLong.of(bytes);
    }

    /** A duration of more than zero. */
    Optional<Duration> duration(Entry entry) {
        Optional<String> text = text(entry);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Optional<Duration> duration = SettingsReading.duration(text.get());
        if (duration.isEmpty()) {
            String what = lacksUnit(text.get()) ? "which has no unit" : "which is no duration";
            findings.error(
                    entry.value(), entry.key() + " is '" + text.get() + "', " + what + "; " + durationHint(text.get()));
        } else if (duration.get().isZero()) {
            findings.error(entry.value(), entry.key() + " is '" + text.get() + "'; it must be more than 0");
            return Optional.empty();
        }
        return duration;
    }

    private static boolean lacksUnit(String text) {
        return WHOLE_NUMBER.matcher(text).matches() && !text.startsWith("-");
    }

    private static String durationHint(String text) {
        return lacksUnit(text)
                ? "write " + text + "s for seconds or " + text + "ms for milliseconds"
                : DURATION_EXAMPLES;
    }

    /** A duration of at most a limit. */
    Optional<Duration> duration(Entry entry, Duration atMost) {
        Optional<Duration> duration = duration(entry);
        if (duration.isPresent() && duration.get().compareTo(atMost) > 0) {
            findings.error(
                    entry.value(),
                    entry.key() + " is '" + text(entry).orElse("") + "'; it must be at most "
                            + Durations.write(atMost));
            return Optional.empty();
        }
        return duration;
    }

    /**
     * One of several values.
     *
     * @param key what is written for each
     */
    <T> Optional<T> oneOf(Entry entry, List<T> values, Function<T, String> key) {
        Optional<String> text = text(entry);
        Optional<T> value = text.flatMap(word ->
                values.stream().filter(each -> key.apply(each).equals(word)).findAny());
        if (text.isPresent() && value.isEmpty()) {
            findings.error(
                    entry.value(),
                    entry.key() + " is '" + text.get() + "', which there is not; "
                            + Nearest.hint(text.get(), values.stream().map(key).toList(), "values"));
        }
        return value;
    }

    /** True or false. */
    Optional<Boolean> flag(Entry entry) {
        Optional<String> text = text(entry);
        Optional<Boolean> flag =
                text.filter(word -> word.equals("true") || word.equals("false")).map(Boolean::valueOf);
        if (text.isPresent() && flag.isEmpty()) {
            findings.error(entry.value(), entry.key() + " is '" + text.get() + "'; write true or false");
        }
        return flag;
    }
}
