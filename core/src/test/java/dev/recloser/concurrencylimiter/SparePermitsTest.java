package dev.recloser.concurrencylimiter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparePermitsTest {

    @ParameterizedTest
    @CsvSource({"1, 2", "15, 2", "15, 64"})
    void aSmallLimitHasNoRoom(int permits, int cores) {
        SparePermits spare = SparePermits.of(permits, cores);
        assertThat(spare.hasRoom()).isFalse();
        assertThat(spare.put()).isFalse();
        assertThat(spare.take()).isFalse();
        assertThat(spare.count()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"16, 1", "16, 64", "100, 2", "100, 64", "1000, 2", "1000, 64", "1000000, 500"})
    void allStripesTogetherHoldAtMostAQuarter(int permits, int cores) throws InterruptedException {
        SparePermits spare = SparePermits.of(permits, cores);
        assertThat(spare.hasRoom()).isTrue();
        spare.open();
        int[] put = new int[1];
        for (int t = 0; t < 300; t++) {
            Thread thread = new Thread(() -> {
                while (spare.put()) {
                    put[0]++;
                }
            });
            thread.start();
            thread.join();
        }
        assertThat(put[0]).isBetween(4, permits / 4);
        assertThat(spare.count()).isEqualTo(put[0]);
        assertThat(spare.close()).isEqualTo(put[0]);
        assertThat(spare.count()).isZero();
    }

    @Test
    void aThreadTakesWhatItHasPut() {
        SparePermits spare = SparePermits.of(1000, 2);
        assertThat(spare.put()).as("closed").isFalse();
        spare.open();
        assertThat(spare.take()).isFalse();
        assertThat(spare.put()).isTrue();
        assertThat(spare.put()).isTrue();
        assertThat(spare.take()).isTrue();
        assertThat(spare.take()).isTrue();
        assertThat(spare.take()).isFalse();
    }

    @Test
    void aClosedStripeGivesAndTakesNothing() {
        SparePermits spare = SparePermits.of(1000, 2);
        spare.open();
        assertThat(spare.put()).isTrue();
        assertThat(spare.close()).isEqualTo(1);
        assertThat(spare.take()).isFalse();
        assertThat(spare.put()).isFalse();
        spare.open();
        assertThat(spare.take()).isFalse();
    }
}
