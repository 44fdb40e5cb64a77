package dev.recloser.tests.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.circuitbreaker.CircuitTransition.Reason;
import dev.recloser.telemetry.TransitionText;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a transition. */
class TransitionTextTest {

    private static CircuitTransition opened(Reason reason, long calls, long failures, long timed, long slow) {
        return new CircuitTransition(
                "c",
                CircuitState.CLOSED,
                CircuitState.OPEN,
                reason,
                calls,
                failures,
                timed,
                slow,
                Duration.ofSeconds(30),
                0,
                Optional.empty(),
                Instant.EPOCH);
    }

    @ParameterizedTest
    @CsvSource({
        "74, 120, 62 % of 120 calls failed",
        "62, 120, 52 % of 120 calls failed",
        "5, 5, 100 % of 5 calls failed",
        "1, 1, 100 % of 1 call failed",
        "0, 0, 0 % of 0 calls failed",
        "1, 30, 3.3 % of 30 calls failed",
        "199, 200, 99 % of 200 calls failed",
        "9999, 10000, >99.9 % of 10000 calls failed",
        "1, 10000, <0.1 % of 10000 calls failed",
    })
    void failuresAreToldAsAPercentageThatIsAllOnlyForAllAndNoneOnlyForNone(long failures, long calls, String text) {
        assertThat(TransitionText.describe(opened(Reason.FAILURES, calls, failures, 0, 0)))
                .isEqualTo("opened: " + text + "; next probe in 30 s");
    }

    @Test
    void slowCallsAreToldAlike() {
        assertThat(TransitionText.describe(opened(Reason.SLOW_CALLS, 20, 0, 20, 13)))
                .isEqualTo("opened: 65 % of 20 calls were slow; next probe in 30 s");
        assertThat(TransitionText.describe(opened(Reason.SLOW_CALLS, 1, 0, 1, 1)))
                .isEqualTo("opened: 100 % of 1 call was slow; next probe in 30 s");
    }

    @Test
    @ResourceLock(Resources.LOCALE)
    void textIsTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(TransitionText.why(opened(Reason.FAILURES, 1234, 41, 0, 0)))
                    .isEqualTo("3.3 % of 1234 calls failed; next probe in 30 s");
        } finally {
            Locale.setDefault(before);
        }
    }
}
