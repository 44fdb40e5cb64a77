package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How fast a body comes. */
class BodyRateTest {

    private static final long SECOND = 1_000_000_000;

    private final BodyRate rate = new BodyRate(100, Duration.ofSeconds(5));

    @Test
    void aRateIsLookedAtWhenTheClientWasWaitedForLongEnough() {
        assertThat(rate.isTooSlow(1, 4 * SECOND)).isFalse();
        assertThat(rate.isTooSlow(1, SECOND)).isTrue();
    }

    @Test
    void whatCameFastMakesUpForWhatCameSlowlyButOnlyUntilTheRateWasLookedAt() {
        assertThat(rate.isTooSlow(1000, 0)).isFalse();
        assertThat(rate.isTooSlow(1, 10 * SECOND)).isFalse();
        assertThat(rate.isTooSlow(1, 5 * SECOND)).isTrue();
    }

    @Test
    void exactlyTheRateIsEnough() {
        for (int i = 0; i < 20; i++) {
            assertThat(rate.isTooSlow(100, SECOND)).isFalse();
        }
        assertThat(rate.isTooSlow(499, 5 * SECOND)).isTrue();
    }
}
