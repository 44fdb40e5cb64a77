package dev.recloser.tests.testing;

import static dev.recloser.circuitbreaker.CircuitState.CLOSED;
import static dev.recloser.circuitbreaker.CircuitState.HALF_OPEN;
import static dev.recloser.circuitbreaker.CircuitState.ISOLATED;
import static dev.recloser.circuitbreaker.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.testing.CircuitDriver;
import dev.recloser.testing.TransitionRecorder;
import dev.recloser.time.TimeSource;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The recorder has every transition from its beginning to its end, and says readably what was not expected. */
@Timeout(60)
class TransitionRecorderTest {

    private final VirtualTime time = VirtualTime.create();
    private final CircuitBreaker breaker = breaker(time);
    private final CircuitDriver driver = CircuitDriver.of(breaker, time);

    private static CircuitBreaker breaker(TimeSource time) {
        CircuitBreakerOptions<Object> options =
                new CircuitBreakerBuilder<>().openAfter(3, 4).build();
        return CircuitBreaker.of("payments", options, time);
    }

    @Test
    void recordsAtOnceUnderVirtualTime() {
        try (TransitionRecorder recorder = TransitionRecorder.on(breaker, Duration.ZERO)) {
            recorder.assertStates();
            driver.open().close();
            recorder.assertStates(OPEN, HALF_OPEN, CLOSED);
            assertThat(recorder.transitions())
                    .extracting(CircuitTransition::from)
                    .containsExactly(CLOSED, OPEN, HALF_OPEN);
        }
    }

    @Test
    void recordsFromItsBeginningToItsEnd() {
        driver.open();
        TransitionRecorder recorder = TransitionRecorder.on(breaker, Duration.ZERO);
        driver.close();
        recorder.close();
        recorder.close();
        driver.open();
        recorder.assertStates(HALF_OPEN, CLOSED);
    }

    @Test
    void waitsForListenersThatAreToldLater() {
        CircuitBreaker real = breaker(TimeSource.system());
        try (TransitionRecorder recorder = TransitionRecorder.on(real)) {
            real.isolate();
            real.close();
            recorder.assertStates(ISOLATED, CLOSED);
        }
    }

    @Test
    void saysWhatWasRecordedInstead() {
        TransitionRecorder recorder = TransitionRecorder.on(breaker);
        driver.open().halfOpen().isolate();
        assertThatThrownBy(() -> recorder.assertStates(OPEN, HALF_OPEN, CLOSED))
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        payments was expected to enter [OPEN, HALF_OPEN, CLOSED], but recorded was
                          CLOSED -> OPEN (FAILURES, 3 of 3 calls failed)
                          OPEN -> HALF_OPEN (BREAK_OVER, 3 of 3 calls failed)
                          HALF_OPEN -> ISOLATED (BY_HAND, 3 of 3 calls failed)""");
    }

    @Test
    void saysThatTooManyWereRecorded() {
        TransitionRecorder recorder = TransitionRecorder.on(breaker);
        driver.open();
        assertThatThrownBy(() -> recorder.assertStates())
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        payments was expected to enter [], but recorded was
                          CLOSED -> OPEN (FAILURES, 3 of 3 calls failed)""");
    }

    @Test
    void saysThatNothingWasRecorded() {
        TransitionRecorder recorder = TransitionRecorder.on(breaker, Duration.ZERO);
        assertThatThrownBy(() -> recorder.assertStates(OPEN))
                .isInstanceOf(AssertionError.class)
                .hasMessage("payments was expected to enter [OPEN], but recorded was no transition");
    }

    @Test
    void saysHowLongItWaited() {
        TransitionRecorder recorder = TransitionRecorder.on(breaker, Duration.ofMillis(5));
        driver.open();
        assertThatThrownBy(() -> recorder.assertStates(OPEN, HALF_OPEN))
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        payments was expected to enter [OPEN, HALF_OPEN], but recorded was
                          CLOSED -> OPEN (FAILURES, 3 of 3 calls failed)
                        and in 5 ms came no more""");
    }

    @Test
    void interruptedWaitSaysSo() {
        TransitionRecorder recorder = TransitionRecorder.on(breaker);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> recorder.assertStates(OPEN))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("interrupted while waiting for transitions of payments");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void patienceIsNotNegative() {
        assertThatThrownBy(() -> TransitionRecorder.on(breaker, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("patience is PT-1S, must not be negative");
    }
}
