package dev.recloser.tests.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.SettingsException;
import dev.recloser.timeout.Timeout;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What can be set, and how it is shown. */
class TimeoutSettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void limitMustBeSetInOneWay() {
        assertThatThrownBy(() -> Timeout.of("query", t -> t.detached()))
                .isInstanceOf(SettingsException.class)
                .hasMessage("limit or limitFrom is not set, must be set");
        assertThatThrownBy(() -> Timeout.of("query", t -> t.limit(SECOND).limitFrom(context -> SECOND)))
                .isInstanceOf(SettingsException.class)
                .hasMessage("limit and limitFrom is set together, must be only one of them");
    }

    @Test
    void nameStandsWhereItDiffersFromTheKind() {
        assertThat(Timeout.of(SECOND)).hasToString("timeout (limit 1 s, detached false)");
        assertThat(Timeout.of("query", t -> t.limitFrom(context -> SECOND)))
                .hasToString("timeout query (limit a function, detached false)");
    }
}
