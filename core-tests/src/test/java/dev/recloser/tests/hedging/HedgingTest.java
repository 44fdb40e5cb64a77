package dev.recloser.tests.hedging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.RetryBudget;
import dev.recloser.SettingsException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.hedging.Hedging;
import dev.recloser.hedging.HedgingBuilder;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Row 34 of the known faults, and what else hedging promises, in every mode. */
class HedgingTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration DELAY = Duration.ofMillis(50);

    private final VirtualTime time = VirtualTime.create();
    private final List<PipelineEvent> events = new CopyOnWriteArrayList<>();

    private Pipeline<String> hedged(Consumer<HedgingBuilder<String>> settings) {
        Pipeline<String> pipeline = Pipeline.<String>named("search")
                .time(time)
                .hedging(h -> settings.accept(h.delay(DELAY)))
                .build();
        pipeline.addListener(events::add);
        return pipeline;
    }

    private List<Kind> kinds() {
        return events.stream().map(PipelineEvent::kind).toList();
    }

    private OngoingCall<String> begun(CallMode mode, Pipeline<String> pipeline) {
        return mode.start(pipeline).awaitAttempts(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThatIsFastIsNotHedged(CallMode mode) {
        OngoingCall<String> call = begun(mode, hedged(h -> {}));
        time.advance(DELAY.minusNanos(1));
        assertThat(call.succeed(1, "fast").value()).isEqualTo("fast");
        time.advance(DELAY.multipliedBy(10));
        assertThat(call.attempts()).isEqualTo(1);
        assertThat(time.pendingAlarms()).isZero();
        assertThat(events).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void slowCallIsTriedAgainBesideItselfAndTheFirstSuccessCounts(CallMode mode) {
        OngoingCall<String> call = begun(mode, hedged(h -> {}));
        time.advance(DELAY);
        call.awaitAttempts(2);
        assertThat(call.context(1).hedge()).isZero();
        assertThat(call.context(2).hedge()).isEqualTo(1);
        assertThat(call.succeed(2, "the second").value()).isEqualTo("the second");
        assertThat(call.context(1).isCancelled()).isTrue();
        assertThat(kinds()).containsExactly(Kind.HEDGE);
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void firstAttemptMayStillWin(CallMode mode) {
        OngoingCall<String> call = begun(mode, hedged(h -> h.maxHedges(2)));
        time.advance(DELAY);
        call.awaitAttempts(2);
        time.advance(DELAY);
        call.awaitAttempts(3);
        time.advance(DELAY.multipliedBy(100));
        assertThat(call.succeed(1, "the first").value()).isEqualTo("the first");
        assertThat(call.attempts()).isEqualTo(3);
        assertThat(call.context(2).isCancelled()).isTrue();
        assertThat(call.context(3).isCancelled()).isTrue();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptThatFailsIsFollowedAtOnce(CallMode mode) {
        OngoingCall<String> call = begun(mode, hedged(h -> {}));
        call.fail(1, new IOException("at once")).awaitAttempts(2);
        assertThat(time.elapsed()).isZero();
        assertThat(call.succeed(2, "good").value()).isEqualTo("good");
        assertThat(kinds()).containsExactly(Kind.HEDGE_FAILED, Kind.HEDGE);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void whenAllFailTheFirstFailureReachesTheCallerUnchangedAndTheOthersAreTold(CallMode mode) {
        IOException first = new IOException("first");
        IOException second = new IOException("second");
        IOException third = new IOException("third");
        OngoingCall<String> call = begun(mode, hedged(h -> h.maxHedges(2)));
        call.fail(1, first).awaitAttempts(2);
        call.fail(2, second).awaitAttempts(3);
        assertThat(call.fail(3, third).error()).isSameAs(first);
        assertThat(first).hasNoSuppressedExceptions().hasNoCause();
        assertThat(events.stream()
                        .filter(event -> event.kind() == Kind.HEDGE_FAILED)
                        .map(PipelineEvent::error))
                .containsExactly(first, second, third);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void failureWhileAnotherRunsDoesNotEndTheCall(CallMode mode) {
        OngoingCall<String> call = begun(mode, hedged(h -> {}));
        time.advance(DELAY);
        call.awaitAttempts(2).fail(1, new IOException());
        assertThat(call.succeed(2, "good").value()).isEqualTo("good");
    }

    @Test
    void winnerIsReturnedWithoutWaitingForALoserThatIgnoresItsCancellation() throws Exception {
        Pipeline<String> pipeline = hedged(h -> {});
        CountDownLatch stubborn = new CountDownLatch(1);
        CountDownLatch firstRuns = new CountDownLatch(1);
        Thread clock = new Thread(() -> {
            awaitUninterruptibly(firstRuns);
            time.advance(DELAY);
        });
        clock.start();
        String value = pipeline.call(context -> {
            if (context.hedge() == 1) {
                return "the hedge";
            }
            firstRuns.countDown();
            awaitUninterruptibly(stubborn);
            return "too late";
        });
        assertThat(value).isEqualTo("the hedge");
        assertThat(pipeline.abandoned()).isEqualTo(1);
        stubborn.countDown();
        clock.join();
        while (pipeline.abandoned() > 0) {
            Thread.onSpinWait();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException ignored) {
                // As work that does not react.
            }
        }
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void budgetThatIsSpentAllowsNoHedge(CallMode mode) {
        RetryBudget budget = RetryBudget.of(b -> b.ratio(0).minimumPerSecond(0).maximumSaved(1), time);
        assertThat(budget.trySpend()).isTrue();
        OngoingCall<String> call = begun(mode, hedged(h -> h.budget(budget)));
        time.advance(DELAY);
        IOException failure = new IOException();
        assertThat(call.fail(1, failure).error()).isSameAs(failure);
        assertThat(call.attempts()).isEqualTo(1);
        assertThat(kinds()).containsExactly(Kind.HEDGE_OVER_BUDGET, Kind.HEDGE_OVER_BUDGET);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void workThatMustNotBeRepeatedIsNotHedged(CallMode mode) {
        OngoingCall<String> call = mode.start(hedged(h -> {}).once());
        assertThat(call.context().isRepeatable()).isFalse();
        time.advance(DELAY.multipliedBy(10));
        IOException failure = new IOException();
        assertThat(call.fail(failure).error()).isSameAs(failure);
        assertThat(call.attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutAroundCutsAllAttempts(CallMode mode) {
        Pipeline<String> pipeline = Pipeline.<String>named("search")
                .time(time)
                .timeout(Duration.ofSeconds(1))
                .hedging(h -> h.delay(DELAY))
                .build();
        OngoingCall<String> call = begun(mode, pipeline);
        time.advance(DELAY);
        call.awaitAttempts(2);
        assertThat(call.context(2).remaining()).contains(Duration.ofSeconds(1).minus(DELAY));
        time.advance(Duration.ofSeconds(1));
        assertThat(call.error()).isInstanceOf(TimedOutException.class);
        assertThat(call.context(1).isCancelled()).isTrue();
        assertThat(call.context(2).isCancelled()).isTrue();
        awaitNothingLeftBehind(pipeline);
        assertThat(time.pendingAlarms()).isZero();
    }

    private static void awaitNothingLeftBehind(Pipeline<?> pipeline) {
        while (pipeline.abandoned() > 0) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callerWhoCancelsCancelsAllAttempts(CallMode mode) {
        Pipeline<String> pipeline = hedged(h -> {});
        OngoingCall<String> call = begun(mode, pipeline);
        time.advance(DELAY);
        call.awaitAttempts(2).cancel();
        assertThat(call.error())
                .isInstanceOf(mode == CallMode.STAGE ? CancellationException.class : InterruptedException.class);
        awaitNothingLeftBehind(pipeline);
        assertThat(call.context(1).isCancelled()).isTrue();
        assertThat(call.context(2).isCancelled()).isTrue();
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerInsideSeesEachAttemptAndIgnoresTheLosers(CallMode mode) {
        Pipeline<String> pipeline = Pipeline.<String>named("search")
                .time(time)
                .hedging(h -> h.delay(DELAY))
                .circuitBreaker(cb -> cb.openAfterConsecutive(2))
                .timeout(Duration.ofSeconds(1))
                .build();
        CircuitBreaker breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow();
        OngoingCall<String> call = begun(mode, pipeline);
        call.fail(1, new IOException()).awaitAttempts(2);
        call.fail(2, new IOException()).awaitEnd();
        assertThat(breaker.snapshot().calls()).isEqualTo(2);
        assertThat(mode.start(pipeline).error()).isInstanceOf(CircuitOpenException.class);
    }

    @Test
    void delayFollowsThePercentileOnceEnoughIsKnown() throws InterruptedException {
        VirtualTime own = VirtualTime.selfAdvancing();
        Hedging hedging =
                Hedging.of("search", h -> h.delay(Duration.ofSeconds(9)).percentile(0.9), own);
        Pipeline<String> pipeline =
                Pipeline.<String>named("search").time(own).strategy(hedging).build();
        for (int i = 0; i < 99; i++) {
            int millis = i % 10 == 0 ? 400 : 100;
            pipeline.call(() -> takes(own, millis));
        }
        assertThat(hedging.snapshot().delay()).isEqualTo(Duration.ofSeconds(9));
        pipeline.call(() -> takes(own, 100));
        assertThat(hedging.snapshot().delay()).isBetween(Duration.ofMillis(100), Duration.ofMillis(113));
    }

    private static String takes(VirtualTime time, int millis) throws InterruptedException {
        time.sleep(Duration.ofMillis(millis).toNanos());
        return "done";
    }

    @Test
    void impossibleSettingsAreAllNamed() {
        assertThatThrownBy(() -> Hedging.of(
                        "search", h -> h.maxHedges(0).delay(Duration.ofDays(2)).percentile(1)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("maxHedges")
                .hasMessageContaining("delay is")
                .hasMessageContaining("percentile");
    }
}
