package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("1994-11-06T08:49:30Z");

    private static Optional<Duration> read(Map<String, List<String>> headers) {
        return RetryAfter.read(HttpHeaders.of(headers, (name, value) -> true), () -> NOW);
    }

    private static Optional<Duration> read(String retryAfter) {
        return read(Map.of("Retry-After", List.of(retryAfter)));
    }

    @Test
    void secondsAreSeconds() {
        assertThat(read("120")).contains(Duration.ofMinutes(2));
        assertThat(read("0")).contains(Duration.ZERO);
        assertThat(read(" 7 ")).contains(Duration.ofSeconds(7));
    }

    @Test
    void moreSecondsThanFitAreForEver() {
        assertThat(read("9".repeat(30))).contains(Duration.ofSeconds(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"})
    void datesInEachFormAreRelativeToTheClockIfThereIsNoOther(String date) {
        assertThat(read(date)).contains(Duration.ofSeconds(7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sun, 06 Nov 2044 08:49:37 GMT | Sun, 06 Nov 2044 08:49:30 GMT | 7",
                "Sun, 06 Nov 1994 08:50:00 GMT | Sun, 06 Nov 1994 08:49:00 GMT | 60",
                "Sun, 06 Nov 1994 08:49:00 GMT | Sun, 06 Nov 1994 08:50:00 GMT | 0",
                "Sun, 06 Nov 1994 08:49:40 GMT | no date | 10"
            })
    void datesAreRelativeToTheClockOfTheServer(String retryAfter, String date, long seconds) {
        assertThat(read(Map.of("Retry-After", List.of(retryAfter), "Date", List.of(date))))
                .contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "1.5", "+3", "Sun, 32 Nov 1994 08:49:37 GMT"})
    void whatCannotBeReadIsNothing(String value) {
        assertThat(read(value)).isEmpty();
    }

    @Test
    void withoutTheHeaderThereIsNothing() {
        assertThat(read(Map.of())).isEmpty();
    }
}
