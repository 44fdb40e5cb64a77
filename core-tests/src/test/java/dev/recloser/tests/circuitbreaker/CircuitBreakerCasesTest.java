package dev.recloser.tests.circuitbreaker;

import static dev.recloser.circuitbreaker.CircuitState.CLOSED;
import static dev.recloser.circuitbreaker.CircuitState.HALF_OPEN;
import static dev.recloser.circuitbreaker.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitOpenException;
import dev.recloser.Classifier;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults that circuit breakers have had, one test per case, each in every mode of execution. */
class CircuitBreakerCasesTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    // ---- when it opens

    @ParameterizedTest
    @MethodSource(MODES)
    void successThatCompletesTheThroughputOpens(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        circuit.play("FFF");
        circuit.assertState(CLOSED);
        circuit.play("S");
        circuit.assertState(OPEN);
        assertThat(circuit.transitions).singleElement().satisfies(opening -> {
            assertThat(opening.calls()).isEqualTo(4);
            assertThat(opening.failures()).isEqualTo(3);
            assertThat(opening.failureRatio()).isEqualTo(.75);
            assertThat(opening.breakDuration()).isEqualTo(Duration.ofSeconds(5));
        });
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void opensAtTheFailureThatReachesTheRatio(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        circuit.play("SFSSFS");
        circuit.assertState(CLOSED);
        circuit.play("F");
        circuit.assertState(CLOSED);
        circuit.play("F");
        circuit.assertState(OPEN);
        assertThat(circuit.transitions.get(0).calls()).isEqualTo(8);
        assertThat(circuit.transitions.get(0).failures()).isEqualTo(4);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void opensInTheMiddleWhereTheRatioIsReachedFirst(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        circuit.play("SFS");
        circuit.assertState(CLOSED);
        circuit.play("F");
        circuit.assertState(OPEN);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void opensExactlyAtTheLimits(CallMode mode) {
        Circuit atBothLimits = Circuit.of(mode, .1, 10, 10, 5);
        atBothLimits.play("FSSSSSSSS");
        atBothLimits.assertState(CLOSED);
        atBothLimits.play("S");
        atBothLimits.assertState(OPEN);

        Circuit belowTheRatio = Circuit.of(mode, .1, 11, 10, 5);
        belowTheRatio.play("FSSSSSSSSSS");
        belowTheRatio.assertState(CLOSED);

        Circuit withoutFailures = Circuit.of(mode, .1, 10, 10, 5);
        withoutFailures.play("SSSSSSSSSSSSSSSSSSSS");
        withoutFailures.assertState(CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void readAloneAgesTheWindow(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 100, 10, 5);
        circuit.play("F");
        circuit.advance(.95);
        circuit.play("S");
        circuit.advance(.05);
        circuit.play("S");
        circuit.advance(8.99);
        assertThat(circuit.breaker.snapshot().calls()).isEqualTo(3);
        circuit.advance(.01);
        assertThat(circuit.breaker.snapshot().calls()).isBetween(1L, 2L);
        assertThat(circuit.breaker.snapshot().failures()).isZero();
        circuit.advance(1);
        assertThat(circuit.breaker.snapshot().calls()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void successOpensWhenOldSuccessesHaveLeftTheWindow(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        circuit.play("SSSSSS");
        circuit.advance(5);
        circuit.play("FFF");
        circuit.assertState(CLOSED);
        circuit.advance(5);
        circuit.play("S");
        circuit.assertState(OPEN);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void failuresAcrossTheEdgeOfASliceOpen(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 10, 10, 5);
        circuit.advance(.935);
        for (int i = 0; i < 9; i++) {
            circuit.play("F");
            circuit.advance(.00722);
        }
        circuit.assertState(CLOSED);
        circuit.play("F");
        circuit.assertState(OPEN);
        for (int i = 0; i < 8; i++) {
            circuit.advance(.00722);
            circuit.assertRejects();
        }
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void ignoredAndRejectedCallsAreNotThroughput(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        circuit.play("FFFIIII");
        assertThat(circuit.breaker.snapshot().calls()).isEqualTo(3);
        circuit.assertState(CLOSED);
        circuit.play("F");
        circuit.assertRejects();
        assertThat(circuit.breaker.snapshot().calls()).isEqualTo(4);
        assertThat(circuit.breaker.snapshot().rejected()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void rejectionNamesTheCauseAndTheWait(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(2);
        CircuitOpenException rejection = circuit.assertRejects();
        assertThat(rejection.getCause()).isInstanceOf(IOException.class);
        assertThat(rejection.retryAfter()).contains(Duration.ofSeconds(3));
        assertThat(rejection.pipeline()).isEqualTo("p");
        assertThat(rejection.getStackTrace()).isEmpty();
    }

    // ---- half-open

    @ParameterizedTest
    @MethodSource(MODES)
    void onlyOneOfManyCallsProbes(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        circuit.assertState(OPEN);
        OngoingCall<String> probe = circuit.startAdmitted();
        circuit.assertState(HALF_OPEN);
        for (int i = 0; i < 63; i++) {
            circuit.assertRejects();
        }
        probe.succeed("fine");
        circuit.assertState(CLOSED);
        assertThat(circuit.breaker.snapshot().calls()).isZero();
        assertThat(circuit.breaker.snapshot().rejected()).isEqualTo(63);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void failedProbeOpensForExactlyOneMoreBreak(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        circuit.play("F");
        circuit.assertState(OPEN);
        circuit.advance(4.999);
        assertThat(circuit.assertRejects().retryAfter()).contains(Duration.ofMillis(1));
        circuit.advance(.001);
        circuit.play("S");
        circuit.assertState(CLOSED);
        assertThat(circuit.transitions)
                .extracting(CircuitTransition::to)
                .containsExactly(OPEN, HALF_OPEN, OPEN, HALF_OPEN, CLOSED);
        assertThat(circuit.transitions)
                .extracting(CircuitTransition::reopenings)
                .containsExactly(0, 0, 1, 1, 0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void lateSuccessDoesNotCloseAHalfOpenCircuit(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        OngoingCall<String> late = circuit.startAdmitted();
        circuit.opened().advance(5);
        OngoingCall<String> probe = circuit.startAdmitted();
        late.succeed("late");
        circuit.assertState(HALF_OPEN);
        assertThat(circuit.breaker.snapshot().late()).isEqualTo(1);
        probe.fail(new IOException());
        circuit.assertState(OPEN);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void lateFailureDoesNotOpenAHalfOpenCircuit(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        OngoingCall<String> late = circuit.startAdmitted();
        circuit.opened().advance(5);
        OngoingCall<String> probe = circuit.startAdmitted();
        late.fail(new IOException());
        circuit.assertState(HALF_OPEN);
        probe.succeed("fine");
        circuit.assertState(CLOSED);
        assertThat(circuit.breaker.snapshot().failures()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void ignoredCallsOfAnEarlierStateAddNoProbes(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        List<OngoingCall<String>> early = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            early.add(circuit.startAdmitted());
        }
        circuit.opened().advance(5);
        OngoingCall<String> probe = circuit.startAdmitted();
        early.forEach(call -> call.fail(new CancellationException()));
        circuit.assertState(HALF_OPEN);
        circuit.assertRejects();
        assertThat(circuit.breaker.snapshot().runningProbes()).isEqualTo(1);
        probe.succeed("fine");
        circuit.assertState(CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void failureOfALostProbeChangesNothing(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        OngoingCall<String> lost = circuit.startAdmitted();
        circuit.advance(4.9);
        assertThat(circuit.assertRejects().retryAfter()).contains(Duration.ofMillis(100));
        circuit.advance(.1);
        OngoingCall<String> next = circuit.startAdmitted();
        assertThat(circuit.breaker.snapshot().lost()).isEqualTo(1);
        lost.fail(new IOException());
        circuit.assertState(HALF_OPEN);
        circuit.assertRejects();
        next.succeed("fine");
        circuit.assertState(CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void successOfALostProbeCountsWhileItsHalfOpenLasts(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        OngoingCall<String> lost = circuit.startAdmitted();
        circuit.advance(5);
        OngoingCall<String> next = circuit.startAdmitted();
        lost.succeed("slow, but fine");
        circuit.assertState(CLOSED);
        next.fail(new IOException());
        circuit.assertState(CLOSED);
        assertThat(circuit.breaker.snapshot().late()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void successOfALostProbeDoesNotCountInALaterHalfOpen(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        OngoingCall<String> lost = circuit.startAdmitted();
        circuit.advance(5);
        circuit.play("F");
        circuit.advance(5);
        OngoingCall<String> probe = circuit.startAdmitted();
        lost.succeed("of another half-open");
        circuit.assertState(HALF_OPEN);
        probe.succeed("fine");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void leaseOutlastsTheTimeoutInside(CallMode mode) {
        Circuit circuit =
                new Circuit(mode, Circuit.cb(.5, 4, 10, 5), builder -> builder.timeout(Duration.ofSeconds(10)));
        circuit.opened().advance(5);
        OngoingCall<String> probe = circuit.startAdmitted();
        circuit.advance(6);
        circuit.assertRejects();
        probe.succeed("recovered, but slow");
        circuit.assertState(CLOSED);
        assertThat(circuit.breaker.snapshot().lost()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void eachOrderOfThreeProbesDecidesAsTheFailureAndTheSuccessesSay(CallMode mode) {
        // I ignored, S success, F failure; two successes close.
        assertThat(afterThreeProbes(mode, "ISF")).isEqualTo(OPEN);
        assertThat(afterThreeProbes(mode, "IFS")).isEqualTo(OPEN);
        assertThat(afterThreeProbes(mode, "SIF")).isEqualTo(OPEN);
        assertThat(afterThreeProbes(mode, "SFI")).isEqualTo(OPEN);
        assertThat(afterThreeProbes(mode, "FIS")).isEqualTo(OPEN);
        assertThat(afterThreeProbes(mode, "FSI")).isEqualTo(OPEN);
        assertThat(afterThreeProbes(mode, "SIS")).isEqualTo(CLOSED);
        assertThat(afterThreeProbes(mode, "SSF")).isEqualTo(CLOSED);
        assertThat(afterThreeProbes(mode, "ISI")).isEqualTo(HALF_OPEN);
        assertThat(afterThreeProbes(mode, "III")).isEqualTo(OPEN);
    }

    private static CircuitState afterThreeProbes(CallMode mode, String outcomes) {
        Circuit circuit = new Circuit(
                mode, Circuit.cb(.5, 4, 10, 5).andThen(cb -> cb.probes(3).successesToClose(2)), builder -> builder);
        circuit.opened().advance(5);
        List<OngoingCall<String>> probes =
                List.of(circuit.startAdmitted(), circuit.startAdmitted(), circuit.startAdmitted());
        circuit.assertRejects();
        for (int i = 0; i < 3; i++) {
            switch (outcomes.charAt(i)) {
                case 'S' -> probes.get(i).succeed("fine");
                case 'F' -> probes.get(i).fail(new IOException());
                default -> probes.get(i).fail(new CancellationException());
            }
        }
        return circuit.breaker.state();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void ignoredProbeAmongOthersFreesItsPlaceOnly(CallMode mode) {
        Circuit circuit = new Circuit(
                mode, Circuit.cb(.5, 4, 10, 5).andThen(cb -> cb.probes(2).successesToClose(2)), builder -> builder);
        circuit.opened().advance(5);
        OngoingCall<String> ignored = circuit.startAdmitted();
        OngoingCall<String> other = circuit.startAdmitted();
        ignored.fail(new CancellationException());
        circuit.assertState(HALF_OPEN);
        OngoingCall<String> third = circuit.startAdmitted();
        circuit.assertRejects();
        other.succeed("fine");
        circuit.assertState(HALF_OPEN);
        third.succeed("fine");
        circuit.assertState(CLOSED);
    }

    // ---- inconclusive probes

    @ParameterizedTest
    @MethodSource(MODES)
    void errorOfAProbeIsInconclusive(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        OngoingCall<String> probe = circuit.startAdmitted();
        probe.fail(new OutOfMemoryError("of ours, not of theirs"));
        assertThat(probe.error()).isInstanceOf(OutOfMemoryError.class);
        assertReopenedForANewBreak(circuit);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void cancellationOfAProbeIsInconclusive(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        circuit.startAdmitted().fail(new CancellationException());
        assertReopenedForANewBreak(circuit);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callerWhoCancelsAProbeLeavesItInconclusive(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        circuit.startAdmitted().cancel();
        assertReopenedForANewBreak(circuit);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void classifierThatThrowsOnAProbeLeavesItInconclusive(CallMode mode) {
        AtomicInteger asked = new AtomicInteger();
        Circuit circuit = new Circuit(
                mode,
                Circuit.cb(.5, 4, 10, 5)
                        .andThen(cb -> cb.when(error -> {
                            if (asked.incrementAndGet() == 5) {
                                throw new IllegalStateException("a bug of the user's");
                            }
                            return true;
                        })),
                builder -> builder);
        circuit.opened().advance(5);
        OngoingCall<String> probe = circuit.startAdmitted();
        probe.fail(new IOException());
        assertThat(probe.error()).isInstanceOf(IllegalStateException.class);
        assertReopenedForANewBreak(circuit);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void probeThatNeverEndsIsReplacedAfterItsLease(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        OngoingCall<String> never = circuit.startAdmitted();
        circuit.advance(5);
        circuit.play("S");
        circuit.assertState(CLOSED);
        never.cancel();
        circuit.assertState(CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void nextCallProbesAtOnceAfterAnInconclusiveOneIfAsked(CallMode mode) {
        Circuit circuit = new Circuit(
                mode, Circuit.cb(.5, 4, 10, 5).andThen(cb -> cb.probeAgainWhenInconclusive(true)), builder -> builder);
        circuit.opened().advance(5);
        circuit.play("I");
        circuit.assertState(HALF_OPEN);
        circuit.play("S");
        circuit.assertState(CLOSED);
    }

    private static void assertReopenedForANewBreak(Circuit circuit) {
        circuit.assertState(OPEN);
        circuit.advance(4.999);
        circuit.assertRejects();
        circuit.advance(.001);
        circuit.play("S");
        circuit.assertState(CLOSED);
    }

    // ---- between strategies

    @ParameterizedTest
    @MethodSource(MODES)
    void hangingServiceOpensThroughATimeoutOutside(CallMode mode) {
        Circuit circuit = new Circuit(mode, Circuit.cb(.5, 4, 10, 5), builder -> builder);
        Pipeline<String> outer = Pipeline.<String>named("outer")
                .time(circuit.time)
                .timeout(Duration.ofSeconds(1))
                .circuitBreaker(circuit.breaker)
                .build();
        assertThat(outer.warnings()).singleElement().asString().contains("no timeout stands inside");
        for (int i = 0; i < 4; i++) {
            OngoingCall<String> call = mode.start(outer);
            circuit.advance(1);
            assertThat(call.error()).isInstanceOf(TimedOutException.class);
        }
        circuit.assertState(OPEN);
        assertThat(circuit.transitions.get(0).cause())
                .hasValueSatisfying(cause -> assertThat(cause).isInstanceOf(TimedOutException.class));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutOutsideIsIgnoredWhenOneInsideCouldHaveFiredSooner(CallMode mode) {
        Circuit circuit = new Circuit(mode, Circuit.cb(.5, 4, 10, 5), builder -> builder);
        Pipeline<String> outer = Pipeline.<String>named("outer")
                .time(circuit.time)
                .timeout(Duration.ofSeconds(1))
                .circuitBreaker(circuit.breaker)
                .timeout(Duration.ofSeconds(2))
                .build();
        for (int i = 0; i < 8; i++) {
            OngoingCall<String> call = mode.start(outer);
            circuit.advance(1);
            assertThat(call.error()).isInstanceOf(TimedOutException.class);
        }
        circuit.assertState(CLOSED);
        assertThat(circuit.breaker.snapshot().calls()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void probeRejectedFurtherInIsUnused(CallMode mode) {
        Gate gate = new Gate();
        Circuit circuit =
                new Circuit(mode, Circuit.cb(.5, 4, 10, 5), builder -> builder.strategy(gate, Classifier.defaults()));
        circuit.opened().advance(5);
        gate.shut = true;
        assertThat(circuit.start().error()).isInstanceOf(LimitReachedException.class);
        circuit.assertState(HALF_OPEN);
        gate.shut = false;
        circuit.play("S");
        circuit.assertState(CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void rejectionFurtherInIsNotCounted(CallMode mode) {
        Gate gate = new Gate();
        Circuit circuit =
                new Circuit(mode, Circuit.cb(.5, 4, 10, 5), builder -> builder.strategy(gate, Classifier.defaults()));
        gate.shut = true;
        for (int i = 0; i < 10; i++) {
            assertThat(circuit.start().error()).isInstanceOf(LimitReachedException.class);
        }
        assertThat(circuit.breaker.snapshot().calls()).isZero();
        circuit.assertState(CLOSED);
    }
}
