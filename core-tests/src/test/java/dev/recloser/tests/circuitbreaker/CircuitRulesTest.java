package dev.recloser.tests.circuitbreaker;

import static dev.recloser.circuitbreaker.CircuitState.CLOSED;
import static dev.recloser.circuitbreaker.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.OutcomeClass;
import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.BreakGrowth;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.CircuitTransition.Reason;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a circuit opens, by each rule; and what counts for it. */
class CircuitRulesTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private static Circuit circuit(CallMode mode, Consumer<CircuitBreakerBuilder<String>> settings) {
        return new Circuit(mode, settings, builder -> builder);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void incidentRunsToTheSecond(CallMode mode) {
        // 20 s sampling, ratio 0.5, minimum 20, break 30 s. The clock of the test starts at 12:00:00.
        Circuit circuit = Circuit.of(mode, .5, 20, 20, 30);
        String outcomes = "FSFSFSFSFSFSFSFSFSF";
        for (int i = 0; i < outcomes.length(); i++) {
            circuit.play(outcomes.substring(i, i + 1));
            circuit.advance(.42);
        }
        circuit.time.advance(Duration.between(circuit.time.instant(), at("12:00:08")));
        circuit.assertState(CLOSED);
        circuit.play("F");
        circuit.assertState(OPEN);
        assertThat(circuit.transitions.get(0).failures()).isEqualTo(11);
        assertThat(circuit.transitions.get(0).calls()).isEqualTo(20);

        circuit.time.advance(Duration.between(circuit.time.instant(), at("12:00:37.999")));
        circuit.assertRejects();
        circuit.time.advance(Duration.between(circuit.time.instant(), at("12:00:38")));
        OngoingCall<String> probe = circuit.startAdmitted();
        circuit.time.advance(Duration.between(circuit.time.instant(), at("12:00:39")));
        probe.fail(new IOException());
        circuit.assertState(OPEN);

        circuit.time.advance(Duration.between(circuit.time.instant(), at("12:01:08.999")));
        circuit.assertRejects();
        circuit.time.advance(Duration.between(circuit.time.instant(), at("12:01:09")));
        circuit.startAdmitted().succeed("healed");
        circuit.assertState(CLOSED);
    }

    private static Instant at(String time) {
        return Instant.parse("2020-01-01T" + time + "Z");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void consecutiveFailuresOpen(CallMode mode) {
        Circuit circuit = circuit(mode, cb -> cb.openAfterConsecutive(3));
        circuit.play("FFSFFIF");
        circuit.assertState(OPEN);
        assertThat(circuit.transitions.get(0).failures()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void failuresOfTheLastCallsOpen(CallMode mode) {
        Circuit circuit = circuit(mode, cb -> cb.openAfter(3, 5).withinLast(Duration.ofSeconds(60)));
        circuit.play("FFSSSFSF");
        circuit.assertState(CLOSED);
        circuit.play("F");
        circuit.assertState(OPEN);
        assertThat(circuit.transitions.get(0).calls()).isEqualTo(5);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void failureOlderThanTheSpanDoesNotCount(CallMode mode) {
        Circuit circuit = circuit(mode, cb -> cb.openAfter(3, 5).withinLast(Duration.ofSeconds(60)));
        circuit.play("F");
        circuit.advance(60.001);
        circuit.play("FF");
        circuit.assertState(CLOSED);
        assertThat(circuit.breaker.snapshot().calls()).isEqualTo(2);
        circuit.play("F");
        circuit.assertState(OPEN);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void slowCallsOpenAlthoughTheySucceed(CallMode mode) {
        Circuit circuit =
                circuit(mode, cb -> cb.slowCalls(Duration.ofSeconds(1), .5).slowCallMinimumThroughput(4));
        for (int i = 0; i < 4; i++) {
            circuit.assertState(CLOSED);
            OngoingCall<String> call = circuit.startAdmitted();
            circuit.advance(i % 2 == 0 ? 1.001 : 1);
            call.succeed("fine");
        }
        circuit.assertState(OPEN);
        assertThat(circuit.transitions).singleElement().satisfies(opening -> {
            assertThat(opening.reason()).isEqualTo(Reason.SLOW_CALLS);
            assertThat(opening.slowCalls()).isEqualTo(2);
            assertThat(opening.calls()).isEqualTo(4);
            assertThat(opening.failures()).isZero();
        });
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void slowProbeHasFailed(CallMode mode) {
        Circuit circuit = circuit(
                mode,
                cb -> Circuit.cb(.5, 4, 10, 5)
                        .andThen(more -> more.slowCalls(Duration.ofSeconds(1), .5))
                        .accept(cb));
        circuit.opened().advance(5);
        OngoingCall<String> probe = circuit.startAdmitted();
        circuit.advance(1.001);
        probe.succeed("fine, but slow");
        circuit.assertState(OPEN);
        assertThat(circuit.transitions)
                .last()
                .satisfies(reopening -> assertThat(reopening.reason()).isEqualTo(Reason.PROBE_FAILED));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void settingsNarrowedFromOthersCountOnlyWhatTheyName(CallMode mode) {
        CircuitBreakerOptions<Object> wide =
                new CircuitBreakerBuilder<>().openAfterConsecutive(2).build();
        CircuitBreakerOptions<Object> narrow =
                wide.toBuilder().handle(IOException.class).build();
        assertThat(narrow.classifier().classify(null, new FileNotFoundException()))
                .isEqualTo(OutcomeClass.FAILURE);
        assertThat(narrow.classifier().classify(null, new IllegalStateException()))
                .isEqualTo(OutcomeClass.IGNORED);
        assertThat(wide.classifier().classify(null, new IllegalStateException()))
                .isEqualTo(OutcomeClass.FAILURE);

        Circuit circuit = circuit(mode, cb -> cb.openAfterConsecutive(2).handle(IOException.class));
        for (Exception ignored : List.of(new IllegalStateException(), new RuntimeException(new IOException()))) {
            circuit.startAdmitted().fail(ignored);
        }
        circuit.startAdmitted().fail(new FileNotFoundException());
        circuit.assertState(CLOSED);
        circuit.startAdmitted().fail(new IOException());
        circuit.assertState(OPEN);

        Circuit withCauses = circuit(
                mode, cb -> cb.openAfterConsecutive(1).handle(IOException.class).includingCauses());
        withCauses.startAdmitted().fail(new RuntimeException(new FileNotFoundException()));
        withCauses.assertState(OPEN);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void resultPredicateIsAskedForNullToo(CallMode mode) {
        List<Object> asked = new ArrayList<>();
        Circuit circuit = circuit(
                mode,
                cb -> cb.openAfterConsecutive(1).handleResult(result -> {
                    asked.add(result);
                    return result == null;
                }));
        circuit.startAdmitted().succeed("fine");
        circuit.assertState(CLOSED);
        circuit.startAdmitted().succeed(null);
        circuit.assertState(OPEN);
        assertThat(asked).containsExactly("fine", null);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void longestTimesDoNotOverflow(CallMode mode) {
        VirtualTime time = VirtualTime.create().startingAt(Long.MAX_VALUE - 10);
        CircuitBreaker breaker = CircuitBreaker.of(
                "long",
                new CircuitBreakerBuilder<>()
                        .failureRatio(1)
                        .minimumThroughput(1)
                        .samplingDuration(Duration.ofDays(1))
                        .breakDuration(Duration.ofNanos(Long.MAX_VALUE))
                        .build(),
                time);
        Pipeline<String> pipeline = Pipeline.<String>named("long")
                .time(time)
                .circuitBreaker(breaker)
                .build();
        OngoingCall<String> call = mode.start(pipeline);
        time.advance(Duration.ofNanos(5));
        call.fail(new IOException());
        assertThat(breaker.state()).isEqualTo(OPEN);
        time.advance(Duration.ofNanos(20));
        assertThat(breaker.snapshot().nextProbe()).contains(Duration.ofNanos(Long.MAX_VALUE - 20));
        time.advance(Duration.ofDays(100_000));
        assertThat(breaker.snapshot().nextProbe())
                .hasValueSatisfying(wait -> assertThat(wait).isGreaterThan(Duration.ZERO));
        assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakGrowsWithEachReopeningAndStartsOverAfterAClose(CallMode mode) {
        Circuit circuit = circuit(
                mode,
                cb -> Circuit.cb(.5, 4, 10, 5)
                        .andThen(more ->
                                more.breakGrowth(BreakGrowth.LINEAR).maximumBreakDuration(Duration.ofSeconds(18)))
                        .accept(cb));
        circuit.opened();
        for (int seconds : new int[] {5, 10, 15, 18, 18}) {
            circuit.advance(seconds - .001);
            circuit.assertRejects();
            circuit.advance(.001);
            circuit.startAdmitted().fail(new IOException());
            circuit.assertState(OPEN);
        }
        assertThat(circuit.breaker.snapshot().reopenings()).isEqualTo(5);
        circuit.advance(18);
        circuit.play("S");
        circuit.assertState(CLOSED);
        circuit.opened();
        assertThat(circuit.breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(5));
        assertThat(circuit.breaker.snapshot().reopenings()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void jitterSpreadsTheBreakAtTheMaximumToo(CallMode mode) {
        List<Duration> breaks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Circuit circuit = circuit(
                    mode,
                    cb -> Circuit.cb(.5, 4, 10, 5)
                            .andThen(more -> more.breakGrowth(BreakGrowth.EXPONENTIAL)
                                    .maximumBreakDuration(Duration.ofSeconds(8))
                                    .breakJitter(.25))
                            .accept(cb));
            circuit.opened().advance(5);
            circuit.play("F");
            breaks.add(circuit.breaker.snapshot().nextProbe().orElseThrow());
        }
        assertThat(breaks)
                .allMatch(length ->
                        length.compareTo(Duration.ofSeconds(6)) >= 0 && length.compareTo(Duration.ofSeconds(8)) <= 0);
        assertThat(breaks).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakLastsAsLongAsTheOutcomeAsksForUpToTheMaximum(CallMode mode) {
        Circuit circuit = circuit(
                mode,
                cb -> cb.openAfterConsecutive(1)
                        .breakDuration(Duration.ofSeconds(5))
                        .maximumBreakDuration(Duration.ofSeconds(60))
                        .handleResult(result -> result.startsWith("busy"))
                        .breakDurationFrom((value, error) -> {
                            if (value == null) {
                                throw new IllegalStateException("a bug of the user's");
                            }
                            return Optional.of(Duration.ofSeconds(Long.parseLong(value.substring(5))));
                        }));
        circuit.startAdmitted().succeed("busy 20");
        assertThat(circuit.breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(20));
        circuit.advance(20);
        circuit.startAdmitted().succeed("busy 1");
        assertThat(circuit.breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(5));
        circuit.advance(5);
        circuit.startAdmitted().succeed("busy 3600");
        assertThat(circuit.breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(60));
        circuit.advance(60);
        circuit.startAdmitted().fail(new IOException());
        assertThat(circuit.breaker.snapshot().nextProbe()).contains(Duration.ofSeconds(5));
        circuit.assertState(OPEN);
    }
}
