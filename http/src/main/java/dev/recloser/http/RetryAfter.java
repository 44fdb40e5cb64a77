package dev.recloser.http;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads {@code Retry-After}, in the forms that RFC 9110 knows. */
final class RetryAfter {

    /** A year of two digits is this one or a later one. */
    private static final int EARLIEST_SHORT_YEAR = 1990;

    /** As long a number as fits; what is longer is as good as for ever. */
    private static final int MOST_DIGITS = 18;

    /** The preferred form, that of RFC 850, and that of {@code asctime}; a day of the week with a comma behind it is not looked at. */
    private static final List<DateTimeFormatter> DATES = List.of(
            DateTimeFormatter.RFC_1123_DATE_TIME,
            new DateTimeFormatterBuilder()
                    .appendPattern("dd-MMM-")
                    .appendValueReduced(ChronoField.YEAR, 2, 2, EARLIEST_SHORT_YEAR)
                    .appendPattern(" HH:mm:ss 'GMT'")
                    .toFormatter(Locale.ROOT)
                    .withZone(ZoneOffset.UTC),
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ROOT)
                    .withZone(ZoneOffset.UTC));

    private RetryAfter() {}

    /**
     * How long the response asks to wait; empty if it does not, or not so that it can be understood.
     *
     * @param now the clock of this machine, asked only for a date in a response that has no date of its own
     */
    static Optional<Duration> read(HttpHeaders headers, Supplier<Instant> now) {
        return headers.firstValue("Retry-After").map(String::trim).flatMap(text -> read(text, headers, now));
    }

    private static Optional<Duration> read(String text, HttpHeaders headers, Supplier<Instant> now) {
        if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.of(Duration.ofSeconds(text.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(text)));
        }
        return date(text).map(until -> {
            Instant from = headers.firstValue("Date")
                    .map(String::trim)
                    .flatMap(RetryAfter::date)
                    .orElseGet(now);
            Duration wait = Duration.between(from, until);
            return wait.isNegative() ? Duration.ZERO : wait;
        });
    }

    private static Optional<Instant> date(String value) {
        String text = value.substring(value.indexOf(',') + 1).trim();
        return DATES.stream().flatMap(form -> date(text, form).stream()).findFirst();
    }

    private static Optional<Instant> date(String text, DateTimeFormatter form) {
        try {
            return Optional.of(Instant.from(form.parse(text)));
        } catch (DateTimeException notThisForm) {
            return Optional.empty();
        }
    }
}
