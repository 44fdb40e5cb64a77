package dev.recloser.circuitbreaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the oracle, which never goes back in time, does not show. */
class TimeWindowTest {

    private static final long SECOND = 1_000_000_000;

    @Test
    void clockThatWasReadBeforeTheSliceTurnedIsCounted() {
        RatioWindow window =
                new RatioWindow(new FailureRule.Ratio(.5, 2, Duration.ofSeconds(10)), 0, VirtualTime.create());
        assertThat(window.failure(3 * SECOND + SECOND / 2)).isFalse();
        assertThat(window.failure(3 * SECOND - 100))
                .as("in a slice that was never made")
                .isTrue();
        assertThat(window.tally(4 * SECOND)).isEqualTo(new Tally(2, 2));
    }

    @Test
    void clockThatWasReadInAnOlderSliceIsCountedThere() {
        TimeWindow window = new TimeWindow(10 * SECOND, 0);
        window.slice(0).success();
        window.slice(5 * SECOND).success();
        window.slice(SECOND / 2).failure();
        assertThat(window.tally(5 * SECOND)).isEqualTo(new Tally(3, 1));
        assertThat(window.tally(10 * SECOND)).isEqualTo(new Tally(1, 0));
    }

    @Test
    void windowThatIsMadeShorterKeepsWhatIsRecent() {
        TimeWindow window = new TimeWindow(600 * SECOND, 0);
        for (int i = 0; i < 9; i++) {
            window.slice(50 * SECOND).failure();
        }
        assertThat(window.resampled(20 * SECOND, 51 * SECOND).tally(51 * SECOND))
                .isEqualTo(new Tally(9, 9));
    }

    @Test
    void windowThatIsMadeLongerKeepsEverything() {
        TimeWindow window = new TimeWindow(10 * SECOND, 0);
        window.slice(0).failure();
        window.slice(3 * SECOND).success();
        TimeWindow longer = window.resampled(100 * SECOND, 4 * SECOND);
        assertThat(longer.tally(4 * SECOND)).isEqualTo(new Tally(2, 1));
        assertThat(longer.tally(50 * SECOND)).isEqualTo(new Tally(2, 1));
        assertThat(longer.tally(150 * SECOND)).isEqualTo(Tally.NONE);
    }
}
