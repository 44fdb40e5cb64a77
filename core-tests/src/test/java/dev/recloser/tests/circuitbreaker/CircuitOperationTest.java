package dev.recloser.tests.circuitbreaker;

import static dev.recloser.circuitbreaker.CircuitState.CLOSED;
import static dev.recloser.circuitbreaker.CircuitState.HALF_OPEN;
import static dev.recloser.circuitbreaker.CircuitState.ISOLATED;
import static dev.recloser.circuitbreaker.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitIsolatedException;
import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.RejectedException;
import dev.recloser.SettingsException;
import dev.recloser.circuitbreaker.BreakGrowth;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.FailureRule;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What operators do with a circuit, and what it does beside counting. */
class CircuitOperationTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    @ParameterizedTest
    @MethodSource(MODES)
    void isolatedCircuitRejectsUntilItIsClosedByHand(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        OngoingCall<String> running = circuit.startAdmitted();
        circuit.breaker.isolate();
        circuit.advance(1000);
        OngoingCall<String> rejected = circuit.start();
        assertThat(rejected.error()).isInstanceOfSatisfying(CircuitIsolatedException.class, isolated -> {
            assertThat(isolated.retryAfter()).isEmpty();
            assertThat(isolated).hasMessage("p: the circuit is isolated");
        });
        running.succeed("late");
        circuit.assertState(ISOLATED);
        circuit.breaker.close();
        circuit.assertState(CLOSED);
        circuit.play("S");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void resetClosesAndForgetsTheTotals(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.assertRejects();
        circuit.breaker.reset();
        circuit.assertState(CLOSED);
        assertThat(circuit.breaker.snapshot().rejected()).isZero();
        assertThat(circuit.breaker.snapshot().calls()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void healthCheckProbesInTheCallersPlace(CallMode mode) {
        AtomicReference<String> health = new AtomicReference<>("sick");
        AtomicInteger checks = new AtomicInteger();
        Circuit circuit = new Circuit(
                mode,
                Circuit.cb(.5, 4, 10, 5)
                        .andThen(cb -> cb.healthCheck(() -> {
                            checks.incrementAndGet();
                            if (health.get().equals("throws")) {
                                throw new IOException("no answer");
                            }
                            return health.get().equals("healthy");
                        })),
                builder -> builder);
        circuit.opened().advance(5);
        assertThat(checks).as("checks without a call").hasValue(0);

        circuit.assertRejects();
        assertThat(checks).hasValue(1);
        circuit.assertState(OPEN);

        health.set("throws");
        circuit.advance(5);
        circuit.assertRejects();
        circuit.assertState(OPEN);

        health.set("healthy");
        circuit.advance(5);
        circuit.assertRejects();
        circuit.assertState(CLOSED);
        circuit.play("S");
        assertThat(checks).hasValue(3);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void shareOfTheCallsGrowsAfterClosing(CallMode mode) {
        Circuit circuit = new Circuit(
                mode, Circuit.cb(.5, 4, 10, 5).andThen(cb -> cb.rampUp(Duration.ofSeconds(100))), builder -> builder);
        assertThat(admittedOf(circuit, 50)).as("before any opening").isEqualTo(50);
        circuit.breaker.isolate();
        circuit.breaker.close();
        assertThat(admittedOf(circuit, 1000)).as("at the start").isBetween(50, 170);
        circuit.advance(50);
        assertThat(admittedOf(circuit, 1000)).as("in the middle").isBetween(400, 600);
        circuit.advance(50);
        assertThat(admittedOf(circuit, 1000)).as("at the end").isEqualTo(1000);
    }

    private static int admittedOf(Circuit circuit, int calls) {
        int admitted = 0;
        for (int i = 0; i < calls; i++) {
            if (!(circuit.breaker.acquire() instanceof RejectedException)) {
                admitted++;
            }
        }
        return admitted;
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void observingBreakerReportsButRejectsNothing(CallMode mode) {
        Circuit circuit =
                new Circuit(mode, Circuit.cb(.5, 4, 10, 5).andThen(cb -> cb.observeOnly(true)), builder -> builder);
        circuit.opened();
        assertThat(circuit.startAdmitted().succeed("admitted all the same").value())
                .isEqualTo("admitted all the same");
        assertThat(circuit.breaker.snapshot().rejected()).isEqualTo(1);
        circuit.assertState(OPEN);
        circuit.advance(5);
        circuit.play("S");
        circuit.assertState(CLOSED);
        assertThat(circuit.transitions).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void changedSettingsKeepStateAndWindow(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 100, 10, 5);
        circuit.play("FFFS");
        OngoingCall<String> running = circuit.startAdmitted();
        circuit.advance(2);
        circuit.breaker.changeSettings(cb -> cb.minimumThroughput(5).samplingDuration(Duration.ofSeconds(40)));
        circuit.assertState(CLOSED);
        assertThat(circuit.breaker.snapshot().calls()).isEqualTo(4);
        running.succeed("not late");
        assertThat(circuit.breaker.snapshot().late()).isZero();
        circuit.assertState(OPEN);

        circuit.breaker.changeSettings(cb -> cb.breakDuration(Duration.ofSeconds(60)));
        circuit.advance(5);
        circuit.play("F");
        circuit.assertState(OPEN);
        assertThat(circuit.breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(60));
        assertThat(circuit.breaker.options().breakDuration()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void changedCountAndRowKeepWhatTheyRemember() {
        Circuit count = new Circuit(
                CallMode.STAGE, cb -> cb.openAfter(3, 5).withinLast(Duration.ofSeconds(60)), builder -> builder);
        count.play("FSF");
        count.breaker.changeSettings(cb -> cb.openAfter(3, 4));
        assertThat(count.breaker.snapshot().calls()).isEqualTo(3);
        count.play("F");
        count.assertState(OPEN);

        Circuit row = new Circuit(CallMode.STAGE, cb -> cb.openAfterConsecutive(5), builder -> builder);
        row.play("FFF");
        row.breaker.changeSettings(cb -> cb.openAfterConsecutive(4));
        row.play("F");
        row.assertState(OPEN);
    }

    @Test
    void kindOfTheRuleCanBeChanged() {
        Circuit circuit = Circuit.of(CallMode.STAGE, .5, 4, 10, 5);
        circuit.play("FF");
        circuit.breaker.changeSettings(cb -> cb.openAfterConsecutive(2));
        circuit.play("F");
        circuit.assertState(CLOSED);
        circuit.play("F");
        circuit.assertState(OPEN);
        circuit.breaker.changeSettings(cb -> cb.openAfter(2, 3));
        circuit.breaker.changeSettings(cb -> cb.withinLast(Duration.ofSeconds(9)));
        assertThat(circuit.breaker.options().failureRule())
                .isEqualTo(new FailureRule.Count(2, 3, Duration.ofSeconds(9)));
        circuit.breaker.changeSettings(cb -> cb.failureRatio(.7));
        assertThat(circuit.breaker.options().failureRule())
                .isEqualTo(new FailureRule.Ratio(.7, 100, Duration.ofSeconds(30)));
    }

    @Test
    void whatWasSetCanBeTakenBack() {
        Circuit circuit = new Circuit(
                CallMode.STAGE,
                cb -> cb.slowCalls(Duration.ofSeconds(1), .5)
                        .healthCheck(() -> true)
                        .probeAgainWhenInconclusive(true),
                builder -> builder);
        circuit.breaker.changeSettings(
                cb -> cb.withoutSlowCalls().withoutHealthCheck().probeAgainWhenInconclusive(false));
        assertThat(circuit.breaker.options().describe())
                .isEqualTo(Circuit.of(CallMode.STAGE, .1, 100, 30, 5)
                        .breaker
                        .options()
                        .describe());
    }

    @Test
    void allSettingsCanBeReplacedAtOnce() {
        Circuit circuit = Circuit.of(CallMode.STAGE, .5, 100, 10, 5);
        circuit.breaker.changeSettings(cb -> cb.probeLease(Duration.ofSeconds(90)));
        circuit.play("FFF");
        CircuitBreakerOptions<Object> settings = new CircuitBreakerBuilder<>()
                .failureRatio(.5)
                .minimumThroughput(4)
                .samplingDuration(Duration.ofSeconds(20))
                .breakDuration(Duration.ofSeconds(7))
                .build();
        circuit.breaker.changeSettings(settings);
        assertThat(circuit.breaker.options()).isSameAs(settings);
        circuit.play("F");
        circuit.assertState(OPEN);
        assertThat(circuit.breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(7));

        CircuitBreakerOptions<Object> other =
                new CircuitBreakerBuilder<>().when(e -> true).build();
        assertThatThrownBy(() -> circuit.breaker.changeSettings(other))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("classifier");
        assertThat(circuit.breaker.options()).isSameAs(settings);
    }

    @Test
    void resetOfAClosedCircuitEmptiesItsWindow() {
        Circuit circuit = Circuit.of(CallMode.STAGE, .5, 4, 10, 5);
        circuit.play("FFF");
        OngoingCall<String> running = circuit.startAdmitted();
        circuit.breaker.reset();
        running.fail(new IOException());
        circuit.play("F");
        circuit.assertState(CLOSED);
        assertThat(circuit.breaker.snapshot().calls()).isEqualTo(1);
        assertThat(circuit.breaker.snapshot().late()).isEqualTo(1);
        assertThat(circuit.transitions).isEmpty();
        circuit.play("FFF");
        assertThat(circuit.transitions).hasSize(1);
    }

    @Test
    void ownTimeoutOfTheWorkKeepsItsProbesAlive() {
        Circuit circuit = new Circuit(
                CallMode.STAGE,
                Circuit.cb(.5, 4, 10, 5).andThen(cb -> cb.timeoutInside(Duration.ofSeconds(60))),
                builder -> builder.timeout(Duration.ofSeconds(10)));
        assertThat(circuit.breaker.options().probeLease()).isEqualTo(Duration.ofSeconds(61));
    }

    @Test
    void healthCheckThatFailsIsNoOutcomeOfACall() {
        List<Object> shown = new ArrayList<>();
        Circuit circuit = new Circuit(
                CallMode.STAGE,
                cb -> cb.openAfterConsecutive(1)
                        .breakDuration(Duration.ofSeconds(5))
                        .healthCheck(() -> false)
                        .breakDurationFrom((value, error) -> {
                            shown.add(value);
                            return Optional.empty();
                        }),
                builder -> builder);
        circuit.play("F");
        circuit.advance(5);
        circuit.assertRejects();
        assertThat(shown).containsExactly(null, null);
    }

    @Test
    void inconclusiveProbeDoesNotMakeTheBreakLonger() {
        Circuit circuit = new Circuit(
                CallMode.STAGE,
                Circuit.cb(.5, 4, 10, 5).andThen(cb -> cb.breakGrowth(BreakGrowth.EXPONENTIAL)),
                builder -> builder);
        circuit.opened().advance(5);
        circuit.play("I");
        assertThat(circuit.breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(5));
        circuit.advance(5);
        circuit.play("F");
        assertThat(circuit.breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(10));
    }

    @Test
    void lostProbeStaysLostWhenTheLeaseIsLengthened() {
        Circuit circuit = Circuit.of(CallMode.STAGE, .5, 4, 10, 5).opened();
        circuit.advance(5);
        OngoingCall<String> lost = circuit.startAdmitted();
        circuit.advance(5);
        OngoingCall<String> next = circuit.startAdmitted();
        circuit.breaker.changeSettings(cb -> cb.probeLease(Duration.ofSeconds(60)));
        lost.fail(new IOException());
        circuit.assertState(HALF_OPEN);
        next.succeed("fine");
        circuit.assertState(CLOSED);
    }

    @Test
    void lostProbeThatFailsBeforeAnybodyMissesItIsLost() {
        Circuit circuit = Circuit.of(CallMode.STAGE, .5, 4, 10, 5).opened();
        circuit.advance(5);
        OngoingCall<String> probe = circuit.startAdmitted();
        circuit.advance(5);
        assertThat(circuit.breaker.snapshot().runningProbes()).isZero();
        probe.fail(new IOException());
        assertThat(circuit.breaker.snapshot().lost()).isEqualTo(1);
        assertThat(circuit.breaker.snapshot().late()).isZero();
        circuit.play("S");
        circuit.assertState(CLOSED);
    }

    @Test
    void changeThatCannotWorkChangesNothing() {
        Circuit circuit = Circuit.of(CallMode.STAGE, .5, 4, 10, 5);
        assertThatThrownBy(() ->
                        circuit.breaker.changeSettings(cb -> cb.failureRatio(2).minimumThroughput(1)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("failureRatio is 2.0");
        assertThatThrownBy(() -> circuit.breaker.changeSettings(cb -> cb.handle(IOException.class)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("classifier is changed");
        circuit.play("FFF");
        circuit.assertState(CLOSED);
    }

    @Test
    void settingsOfTwoRulesAreRefused() {
        assertThatThrownBy(() -> new Circuit(
                        CallMode.STAGE,
                        cb -> cb.failureRatio(.5)
                                .openAfter(0, 2000)
                                .openAfterConsecutive(3)
                                .breakJitter(2),
                        builder -> builder))
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        wrong -> assertThat(wrong.problems())
                                .extracting(SettingsException.Problem::setting)
                                .containsExactly(
                                        "p.circuitBreaker.failure rule",
                                        "p.circuitBreaker.openAfter outcomes",
                                        "p.circuitBreaker.openAfter failures",
                                        "p.circuitBreaker.breakJitter"));
    }

    @Test
    void settingsThatNeverTriggerAreNamed() {
        Circuit circuit =
                new Circuit(CallMode.STAGE, cb -> cb.minimumThroughput(100).successesToClose(10), builder -> builder);
        assertThat(circuit.breaker.options().advise(100)).isEmpty();
        assertThat(circuit.breaker.options().advise(1))
                .singleElement()
                .satisfies(advice -> assertThat(advice)
                        .isEqualTo("never opens: at 1 calls/s a samplingDuration of 30 s holds 30 calls, and the"
                                + " minimumThroughput is 100; a minimumThroughput of at most 15 or a samplingDuration of at"
                                + " least 200 s would do"));
        assertThat(circuit.breaker.options().advise(.1))
                .hasSize(2)
                .last()
                .satisfies(advice -> assertThat(advice).startsWith("closes late"));
        assertThatThrownBy(() -> circuit.breaker.options().advise(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void circuitThatIsUsedByManyPipelinesIsOne(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        List<OngoingCall<String>> calls = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            calls.add(mode.start(Pipeline.<String>named(name)
                    .time(circuit.time)
                    .circuitBreaker(circuit.breaker)
                    .build()));
        }
        calls.forEach(call -> call.fail(new IOException()));
        circuit.assertState(OPEN);
        OngoingCall<String> rejected = mode.start(Pipeline.<String>named("e")
                .time(circuit.time)
                .circuitBreaker(circuit.breaker)
                .build());
        assertThat(rejected.error()).isInstanceOfSatisfying(CircuitOpenException.class, open -> {
            assertThat(open.pipeline()).isEqualTo("e");
            assertThat(open.strategy()).isEqualTo("p");
            assertThat(open).hasMessage("e: p: the circuit is open; retry after 5000 ms");
        });
    }
}
