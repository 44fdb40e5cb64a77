package dev.recloser.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReadingTest {

    private static final List<String> NAMES = List.of("failureRatio", "breakDuration", "queue");

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "10s, PT10S", "10 s, PT10S", "2m, PT2M", "1h, PT1H", "1d, PT24H", "0s, PT0S"})
    void durationIsANumberAndAUnit(String text, Duration duration) {
        assertThat(SettingsReading.duration(text)).contains(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "-1s", "1.5s", "1 m s", "1w", " 1s", "1234567890123s"})
    void anythingElseIsNone(String text) {
        assertThat(SettingsReading.duration(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "failure-ratio, failureRatio",
        "FAILURE_RATIO, failureRatio",
        "failureRaito, failureRatio",
        "breakDuratoin, breakDuration",
        "duration, breakDuration",
        "qeue, queue",
        "queeu, queue"
    })
    void nearestNameIsTheOneThatWasMeant(String written, String meant) {
        assertThat(SettingsReading.nearestName(written, NAMES)).contains(meant);
    }

    @Test
    void noNameIsNearToWhatIsNothingLikeThem() {
        assertThat(SettingsReading.nearestName("timeout", NAMES)).isEmpty();
        assertThat(SettingsReading.nearestName("q", List.of())).isEmpty();
    }
}
