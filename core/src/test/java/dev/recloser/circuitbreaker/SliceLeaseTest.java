package dev.recloser.circuitbreaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.Window.Quick;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SliceLeaseTest {

    private static final Duration SAMPLING = Duration.ofSeconds(1);
    private static final Duration MOMENT = Duration.ofNanos(100);

    private final VirtualTime time = VirtualTime.create();
    private final RatioWindow window = new RatioWindow(new FailureRule.Ratio(.25, 6, SAMPLING), time.nanoTime(), time);

    private boolean success() {
        time.advance(MOMENT);
        return window.success(time.nanoTime());
    }

    private boolean failure() {
        time.advance(MOMENT);
        return window.failure(time.nanoTime());
    }

    private void makeBusy() {
        success();
        success();
    }

    @Test
    void aBusyWindowCountsWithoutTheClock() {
        assertThat(success()).isFalse();
        assertThat(window.successWithoutClock()).isEqualTo(Quick.NOT_COUNTED);
        assertThat(success()).isFalse();
        assertThat(window.successWithoutClock()).isEqualTo(Quick.COUNTED);
        assertThat(window.tally(time.nanoTime())).isEqualTo(new Tally(3, 0));
    }

    @Test
    void successesFarApartAreTimed() {
        success();
        time.advance(Duration.ofMillis(1));
        success();
        assertThat(window.successWithoutClock()).isEqualTo(Quick.NOT_COUNTED);
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void theClockIsReadAgainWhenTheSliceIsOver() {
        makeBusy();
        assertThat(time.pendingAlarms()).isEqualTo(1);
        time.advance(SAMPLING.dividedBy(TimeWindow.SLICES));
        assertThat(window.successWithoutClock()).isEqualTo(Quick.NOT_COUNTED);
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void theClockIsReadTwiceASecondHoweverLongASliceIs() {
        RatioWindow slow = new RatioWindow(new FailureRule.Ratio(.25, 6, Duration.ofHours(1)), time.nanoTime(), time);
        slow.success(time.nanoTime());
        time.advance(MOMENT);
        slow.success(time.nanoTime());
        assertThat(slow.successWithoutClock()).isEqualTo(Quick.COUNTED);
        time.advance(Duration.ofMillis(500));
        assertThat(slow.successWithoutClock()).isEqualTo(Quick.NOT_COUNTED);
    }

    @Test
    void afterAFailureASuccessMayBeTheOneThatCompletesTheCondition() {
        makeBusy();
        failure();
        failure();
        assertThat(time.pendingAlarms()).isZero();
        assertThat(window.successWithoutClock()).isEqualTo(Quick.NOT_COUNTED);
        assertThat(success()).isFalse();
        assertThat(success()).as("2 of 6").isTrue();
    }

    @Test
    void onceTheThroughputIsReachedAFailureLooksForItself() {
        for (int call = 0; call < 20; call++) {
            success();
        }
        assertThat(failure()).isFalse();
        makeBusy();
        assertThat(window.successWithoutClock()).isEqualTo(Quick.COUNTED);
        assertThat(failure()).isFalse();
        assertThat(window.successWithoutClock()).isEqualTo(Quick.COUNTED);
        assertThat(window.tally(time.nanoTime())).isEqualTo(new Tally(26, 2));
        assertThat(time.pendingAlarms()).isEqualTo(1);
    }
}
