package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.RetryBudget;
import dev.recloser.hedging.Hedging;
import dev.recloser.hedging.HedgingBuilder;
import dev.recloser.retry.Retry;
import dev.recloser.retry.RetryBuilder;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call is counted once for every budget of its pipeline, by whichever strategy. In all of these a call has two attempts, the second
 * because of the retry, and brings three.
 */
class CallCountTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final double COUNTED = 3;
    private static final double COUNTED_AND_RETRIED = 2;

    private final VirtualTime time = VirtualTime.create();
    private final RetryBudget ofPipeline = spent();
    private final RetryBudget own = spent();

    private RetryBudget spent() {
        RetryBudget budget = RetryBudget.of(b -> b.ratio(3).minimumPerSecond(0).maximumSaved(100), time);
        while (budget.trySpend()) {}
        return budget;
    }

    private void call(CallMode mode, UnaryOperator<PipelineBuilder<String>> strategies) {
        Pipeline<String> pipeline = strategies
                .apply(Pipeline.<String>named("p").time(time).retryBudget(ofPipeline))
                .build();
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        call.fail(1, new IOException()).awaitAttempts(2);
        assertThat(call.succeed(2, "fine").value()).isEqualTo("fine");
    }

    private static <R> RetryBuilder<R> retrying(RetryBuilder<R> retry) {
        return retry.constantDelay(Duration.ZERO);
    }

    /** What the retry takes for a failure is ignored here. */
    private static <R> HedgingBuilder<R> hedging(HedgingBuilder<R> hedging) {
        return hedging.handle(IllegalStateException.class);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void retryAlone(CallMode mode) {
        call(mode, p -> p.retry(r -> retrying(r)));
        assertThat(ofPipeline.available()).isEqualTo(COUNTED_AND_RETRIED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void hedgingInsideARetryWithoutBudget(CallMode mode) {
        call(mode, p -> p.retry(r -> retrying(r).withoutBudget()).hedging(h -> hedging(h)));
        assertThat(ofPipeline.available()).isEqualTo(COUNTED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void hedgingInsideARetryWithABudgetOfItsOwn(CallMode mode) {
        call(mode, p -> p.retry(r -> retrying(r).budget(own)).hedging(h -> hedging(h)));
        assertThat(own.available()).isEqualTo(COUNTED_AND_RETRIED);
        assertThat(ofPipeline.available()).isEqualTo(COUNTED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void hedgingWithABudgetOfItsOwnInsideARetry(CallMode mode) {
        call(mode, p -> p.retry(r -> retrying(r)).hedging(h -> hedging(h).budget(own)));
        assertThat(ofPipeline.available()).isEqualTo(COUNTED_AND_RETRIED);
        assertThat(own.available()).isEqualTo(COUNTED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void bothWithTheBudgetOfThePipeline(CallMode mode) {
        call(mode, p -> p.retry(r -> retrying(r)).hedging(h -> hedging(h)));
        assertThat(ofPipeline.available()).isEqualTo(COUNTED_AND_RETRIED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void bothWithOneBudgetThatIsNotOfThePipeline(CallMode mode) {
        call(
                mode,
                p -> p.retry(r -> retrying(r).budget(own))
                        .hedging(h -> hedging(h).budget(own)));
        assertThat(own.available()).isEqualTo(COUNTED_AND_RETRIED);
        assertThat(ofPipeline.available()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void retryThatExistsAlreadyAroundHedging(CallMode mode) {
        Retry retry = Retry.of("r", r -> retrying(r).budget(ofPipeline), time);
        call(mode, p -> p.strategy(retry).hedging(h -> hedging(h)));
        assertThat(ofPipeline.available()).isEqualTo(COUNTED_AND_RETRIED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void retryThatExistsAlreadyWithABudgetOfItsOwnAroundHedging(CallMode mode) {
        Retry retry = Retry.of("r", r -> retrying(r).budget(own), time);
        call(mode, p -> p.strategy(retry).hedging(h -> hedging(h)));
        assertThat(own.available()).isEqualTo(COUNTED_AND_RETRIED);
        assertThat(ofPipeline.available()).isEqualTo(COUNTED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void hedgingThatExistsAlreadyInsideARetry(CallMode mode) {
        Hedging hedging = Hedging.of("h", h -> hedging(h).budget(ofPipeline), time);
        call(mode, p -> p.retry(r -> retrying(r)).strategy(hedging));
        assertThat(ofPipeline.available()).isEqualTo(COUNTED_AND_RETRIED);
        assertThat(hedging.budget()).containsSame(ofPipeline);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void retryInsideHedging(CallMode mode) {
        call(mode, p -> p.hedging(h -> hedging(h)).retry(r -> retrying(r)));
        assertThat(ofPipeline.available()).isEqualTo(COUNTED_AND_RETRIED);
    }
}
