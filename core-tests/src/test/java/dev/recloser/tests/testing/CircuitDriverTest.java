package dev.recloser.tests.testing;

import static dev.recloser.circuitbreaker.CircuitState.CLOSED;
import static dev.recloser.circuitbreaker.CircuitState.HALF_OPEN;
import static dev.recloser.circuitbreaker.CircuitState.ISOLATED;
import static dev.recloser.circuitbreaker.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitOpenException;
import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition.Reason;
import dev.recloser.spi.Ticket;
import dev.recloser.testing.CircuitDriver;
import dev.recloser.testing.TransitionRecorder;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver brings any circuit into any state, and says so where it cannot. */
class CircuitDriverTest {

    private static final Map<String, Consumer<CircuitBreakerBuilder<Object>>> RULES = Map.of(
            "ratio", cb -> {},
            "all of them", cb -> cb.failureRatio(1).minimumThroughput(3),
            "count", cb -> cb.openAfter(5, 10),
            "count of all", cb -> cb.openAfter(7, 7),
            "consecutive", cb -> cb.openAfterConsecutive(4),
            "slow calls too", cb -> cb.slowCalls(Duration.ofSeconds(1), .5).slowCallMinimumThroughput(10),
            "grown up", cb -> cb.probes(3).successesToClose(5).breakDuration(Duration.ofDays(2)));

    private final VirtualTime time = VirtualTime.create();

    private CircuitBreaker breaker(Consumer<CircuitBreakerBuilder<Object>> settings) {
        CircuitBreakerBuilder<Object> builder = new CircuitBreakerBuilder<>();
        settings.accept(builder);
        return CircuitBreaker.of("payments", builder.build(), time);
    }

    private static int count(CircuitBreaker breaker, String outcomes) {
        int rejected = 0;
        for (int i = 0; i < outcomes.length(); i++) {
            if (breaker.acquire() instanceof Ticket ticket) {
                ticket.settle(outcomes.charAt(i) == 'S' ? OutcomeClass.SUCCESS : OutcomeClass.FAILURE, null, null);
            } else {
                rejected++;
            }
        }
        return rejected;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ratio", "all of them", "count", "count of all", "consecutive", "slow calls too", "grown up"})
    void bringsEveryCircuitFromAnyStateIntoAnyOther(String rule) {
        for (CircuitState from : CircuitState.values()) {
            for (CircuitState to : CircuitState.values()) {
                CircuitBreaker breaker = breaker(RULES.get(rule));
                CircuitDriver driver = CircuitDriver.of(breaker, time);
                count(breaker, "SSFS");
                drive(driver, from);
                assertThat(breaker.state()).as("%s", from).isEqualTo(from);
                drive(driver, to);
                assertThat(breaker.state()).as("%s after %s", to, from).isEqualTo(to);
            }
        }
    }

    private static void drive(CircuitDriver driver, CircuitState to) {
        switch (to) {
            case CLOSED -> driver.close();
            case OPEN -> driver.open();
            case HALF_OPEN -> driver.halfOpen();
            case ISOLATED -> driver.isolate();
        }
    }

    @Test
    void opensWithoutMovingTheClockWhereFailuresAloneSuffice() {
        CircuitBreaker breaker = breaker(cb -> cb.failureRatio(.5).minimumThroughput(4));
        count(breaker, "SS");
        CircuitDriver.of(breaker, time).open();
        assertThat(time.elapsed()).isZero();
    }

    @Test
    void opensWhenSuccessesOutweighAnyNumberOfFailures() {
        CircuitBreaker breaker = breaker(cb -> cb.failureRatio(1).minimumThroughput(2));
        count(breaker, "SSSSS");
        CircuitDriver.of(breaker, time).open();
        assertThat(breaker.snapshot().calls()).isEqualTo(2);
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void openCircuitRejectsForItsWholeBreakWithTheCauseGiven() {
        CircuitBreaker breaker = breaker(cb -> cb.breakDuration(Duration.ofSeconds(7)));
        IOException cause = new IOException("down");
        CircuitDriver.of(breaker, time).open(cause);
        CircuitOpenException rejection = (CircuitOpenException) breaker.acquire();
        assertThat(rejection).hasCause(cause);
        assertThat(rejection.retryAfter()).contains(Duration.ofSeconds(7));
    }

    @Test
    void functionThatReadsTheBreakIsShownTheFailure() {
        AtomicReference<Throwable> shown = new AtomicReference<>();
        CircuitBreaker breaker = breaker(cb -> cb.breakDurationFrom((value, error) -> {
            shown.set(error);
            return Optional.of(Duration.ofSeconds(40));
        }));
        IOException failure = new IOException("retry after 40 s");
        CircuitDriver.of(breaker, time).open(failure);
        assertThat(shown).hasValue(failure);
        assertThat(breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(40));
    }

    @Test
    void circuitThatIsOpenStaysAsItIs() {
        CircuitBreaker breaker = breaker(cb -> cb.breakDuration(Duration.ofSeconds(10)));
        CircuitDriver driver = CircuitDriver.of(breaker, time).open();
        time.advance(Duration.ofSeconds(4));
        driver.open();
        assertThat(breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(6));
    }

    @Test
    void circuitWhoseBreakIsOverOpensForAnotherOne() {
        CircuitBreaker breaker = breaker(cb -> cb.breakDuration(Duration.ofSeconds(10)));
        CircuitDriver driver = CircuitDriver.of(breaker, time).open();
        time.advance(Duration.ofSeconds(10));
        driver.open();
        assertThat(breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(10));
        assertThat(breaker.snapshot().reopenings()).isEqualTo(1);
    }

    @Test
    void nextCallOfAHalfOpenCircuitProbes() {
        CircuitBreaker breaker = breaker(cb -> {});
        CircuitDriver.of(breaker, time).halfOpen();
        assertThat(breaker.snapshot().runningProbes()).isZero();
        assertThat(count(breaker, "S")).isZero();
        assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void startedProbeTakesThePlaceUntilItEnds() {
        CircuitBreaker breaker = breaker(cb -> {});
        Ticket probe = CircuitDriver.of(breaker, time).startProbe();
        assertThat(probe.isProbe()).isTrue();
        assertThat(count(breaker, "S")).as("rejected").isEqualTo(1);
        probe.settle(OutcomeClass.FAILURE, null, new IOException("still down"));
        assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void probesThatAreLeftToTheDriverEndAsItsNextStateNeeds() {
        CircuitBreaker breaker = breaker(cb -> cb.probes(2).successesToClose(2));
        CircuitDriver driver = CircuitDriver.of(breaker, time);
        TransitionRecorder recorder = TransitionRecorder.on(breaker, Duration.ZERO);
        driver.startProbe();
        driver.startProbe();
        driver.open();
        driver.startProbe();
        driver.startProbe();
        driver.close();
        recorder.assertStates(OPEN, HALF_OPEN, OPEN, HALF_OPEN, CLOSED);
        assertThat(breaker.snapshot().late()).isZero();
    }

    @Test
    void goesOnWhenTheTestHasEndedTheProbeItself() {
        CircuitBreaker breaker = breaker(cb -> cb.successesToClose(2));
        CircuitDriver driver = CircuitDriver.of(breaker, time);
        driver.startProbe().settle(OutcomeClass.SUCCESS, null, null);
        assertThat(breaker.state()).isEqualTo(HALF_OPEN);
        driver.open();
        driver.startProbe().settle(OutcomeClass.SUCCESS, null, null);
        driver.close();
        assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void transitionsAreThoseOfRealCalls() {
        CircuitBreaker breaker = breaker(cb -> cb.openAfterConsecutive(3));
        TransitionRecorder recorder = TransitionRecorder.on(breaker, Duration.ZERO);
        CircuitDriver.of(breaker, time).open().close().isolate().close();
        assertThat(recorder.transitions())
                .extracting(change -> change.reason())
                .containsExactly(
                        Reason.FAILURES, Reason.BREAK_OVER, Reason.PROBES_SUCCEEDED, Reason.BY_HAND, Reason.BY_HAND);
    }

    @Test
    void opensACircuitThatIsRampingUp() {
        CircuitBreaker breaker = breaker(cb -> cb.rampUp(Duration.ofMinutes(1)));
        CircuitDriver driver = CircuitDriver.of(breaker, time).open().close();
        driver.open();
        assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void drivesACircuitThatOnlyObserves() {
        CircuitBreaker breaker = breaker(cb -> cb.observeOnly(true));
        CircuitDriver driver = CircuitDriver.of(breaker, time).open();
        assertThat(breaker.state()).isEqualTo(OPEN);
        assertThat(count(breaker, "S")).as("rejected").isZero();
        assertThat(driver.startProbe().isProbe()).isTrue();
        driver.close();
        assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void healthCheckDecidesWhetherACircuitCloses() {
        AtomicBoolean healthy = new AtomicBoolean();
        CircuitBreaker breaker = breaker(cb -> cb.healthCheck(healthy::get));
        CircuitDriver driver = CircuitDriver.of(breaker, time).open();
        assertThatThrownBy(driver::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("payments is OPEN and did not become CLOSED: its health check probes in the place of calls,"
                        + " and decides");
        assertThatThrownBy(driver::halfOpen)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "payments lets no probe through: its health check probes in the place of calls, and decides");
        healthy.set(true);
        driver.close();
        assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void saysSoWhenCallsOfTheTestAreTheProbes() {
        CircuitBreaker breaker = breaker(cb -> {});
        CircuitDriver driver = CircuitDriver.of(breaker, time).halfOpen();
        Ticket own = (Ticket) breaker.acquire();
        String running = ": 1 of at most 1 probes are running; end them first";
        assertThatThrownBy(driver::open)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("payments is HALF_OPEN and did not become OPEN" + running);
        assertThatThrownBy(driver::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("payments is HALF_OPEN and did not become CLOSED" + running);
        assertThatThrownBy(driver::startProbe)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("payments lets no probe through" + running);
        own.unused();
        driver.open();
        assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void saysSoWhenTheCircuitGoesByAnotherTime() {
        CircuitBreaker breaker = breaker(cb -> {});
        CircuitDriver driver = CircuitDriver.of(breaker, VirtualTime.create()).open();
        String reason = ": it does not go by the time that was given to the driver, or a listener changed its state";
        assertThatThrownBy(driver::halfOpen)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("payments lets no probe through" + reason);
        assertThatThrownBy(driver::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("payments is OPEN and did not become CLOSED" + reason);
    }

    @Test
    void isolatedCircuitRejects() {
        CircuitBreaker breaker = breaker(cb -> {});
        CircuitDriver.of(breaker, time).isolate();
        assertThat(breaker.state()).isEqualTo(ISOLATED);
        assertThat(count(breaker, "S")).as("rejected").isEqualTo(1);
    }
}
