package dev.recloser.http;

import dev.recloser.spi.SettingsReading;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads the value of a property.
 *
 * @param what what is right, to be said of a value that is not
 * @param reader reads a value, and is empty for one that is not right
 * @param <T> what is read
 */
record PropertyValue<T>(Function<String, String> what, Function<String, Optional<T>> reader) {

    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

    /** A number and a unit. */
    static final PropertyValue<Duration> DURATION =
            new PropertyValue<>(PropertyValue::durationHint, SettingsReading::duration);

    static final PropertyValue<Integer> WHOLE =
            new PropertyValue<>(text -> "a whole number, such as 5", PropertyValue::whole);

    static final PropertyValue<Double> NUMBER =
            new PropertyValue<>(text -> "a number, such as 0.5", PropertyValue::number);

    static final PropertyValue<Boolean> SWITCH = new PropertyValue<>(
            text -> "true or false",
            text -> text.equals("true") || text.equals("false") ? Optional.of(text.equals("true")) : Optional.empty());

    /** One of the constants of an enum, in small letters or as it is. */
    static <E extends Enum<E>> PropertyValue<E> oneOf(Class<E> type) {
        List<E> constants = Arrays.asList(type.getEnumConstants());
        String names = String.join(
                ", ", constants.stream().map(PropertyValue::lowerCase).toList());
        return new PropertyValue<>(
                text -> "one of " + names,
                text -> constants.stream()
                        .filter(constant -> text.equals(constant.name()) || text.equals(lowerCase(constant)))
                        .findFirst());
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String durationHint(String text) {
        return DIGITS.matcher(text).matches()
                ? "a number with its unit: " + text + "s for seconds, " + text + "ms for milliseconds"
                : "a number and a unit, such as 500ms, 10s, 2m or 1h";
    }

    /** Numbers too large for an int become the largest one, which is as far outside of any range. */
    private static Optional<Integer> whole(String text) {
        if (!WHOLE_NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException tooLarge) {
            return Optional.of(text.startsWith("-") ? Integer.MIN_VALUE : Integer.MAX_VALUE);
        }
    }

    private static Optional<Double> number(String text) {
        return DECIMAL.matcher(text).matches() ? Optional.of(Double.valueOf(text)) : Optional.empty();
    }
}
