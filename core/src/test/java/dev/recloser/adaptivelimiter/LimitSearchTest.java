package dev.recloser.adaptivelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where the limit goes after each window. */
class LimitSearchTest {

    private static LimitSearch search(int min, int initial, int max) {
        return new LimitSearch(new AdaptiveLimiterBuilder<>()
                .minLimit(min)
                .initialLimit(initial)
                .maxLimit(max));
    }

    /** A window in which the limit was reached. */
    private static void used(LimitSearch search, boolean goalMet) {
        search.judge(goalMet, search.limit());
    }

    @Test
    void limitDoublesUntilTheGoalIsMissed() {
        LimitSearch search = search(1, 20, 1000);
        used(search, true);
        assertThat(search.limit()).isEqualTo(40);
        used(search, true);
        assertThat(search.limit()).isEqualTo(80);
        used(search, false);
        assertThat(search.limit()).as("the doubling is taken back").isEqualTo(40);
        used(search, true);
        assertThat(search.limit()).isEqualTo(41);
        used(search, false);
        assertThat(search.limit()).as("nine tenths").isEqualTo(36);
    }

    @Test
    void firstLimitThatMissesTheGoalIsLoweredByTheFactor() {
        LimitSearch search = search(1, 20, 1000);
        used(search, false);
        assertThat(search.limit()).isEqualTo(18);
        used(search, true);
        assertThat(search.limit()).isEqualTo(19);
    }

    @Test
    void limitThatWasNotNearlyReachedIsNotRaised() {
        LimitSearch search = search(1, 20, 1000);
        search.judge(true, 17);
        assertThat(search.limit()).isEqualTo(20);
        search.judge(true, 18);
        assertThat(search.limit()).isEqualTo(40);
    }

    @Test
    void limitOfWhichLessThanHalfWasInUseIsNotLowered() {
        LimitSearch search = search(1, 20, 1000);
        search.judge(false, 9);
        assertThat(search.limit()).isEqualTo(20);
        search.judge(false, 10);
        assertThat(search.limit()).isEqualTo(18);
    }

    @Test
    void limitStaysBetweenFloorAndCeiling() {
        LimitSearch search = search(3, 20, 50);
        used(search, true);
        used(search, true);
        assertThat(search.limit()).isEqualTo(50);
        used(search, true);
        assertThat(search.limit()).isEqualTo(50);
        used(search, false);
        assertThat(search.limit())
                .as("the ceiling was good before, so no doubling is taken back")
                .isEqualTo(45);
        for (int i = 0; i < 50; i++) {
            used(search, false);
        }
        assertThat(search.limit()).isEqualTo(3);
        used(search, true);
        assertThat(search.limit()).isEqualTo(4);
    }

    @Test
    void everyDecreaseLowersTheLimitAtLeastByOne() {
        LimitSearch search = search(1, 3, 10);
        used(search, false);
        assertThat(search.limit()).isEqualTo(2);
        used(search, false);
        used(search, false);
        assertThat(search.limit()).isEqualTo(1);
    }
}
