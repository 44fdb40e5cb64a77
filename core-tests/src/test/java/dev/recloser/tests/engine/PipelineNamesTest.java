package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.RetryBudget;
import dev.recloser.SettingsException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.retry.Retry;
import dev.recloser.spi.Strategy;
import dev.recloser.timeout.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What strategies are called in a pipeline, and what its builders do when asked for more than one. */
class PipelineNamesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Pipeline<String> pipeline(UnaryOperator<PipelineBuilder<String>> strategies) {
        return strategies.apply(Pipeline.named("payments")).build();
    }

    private static List<String> names(UnaryOperator<PipelineBuilder<String>> strategies) {
        return pipeline(strategies).strategies().stream().map(Strategy::name).toList();
    }

    @Test
    void secondOfAKindGetsANumberOutermostFirst() {
        assertThat(names(p -> p.timeout(MINUTE).retry(r -> {}).timeout(SECOND).timeout(SECOND)))
                .containsExactly("timeout", "retry", "timeout2", "timeout3");
        assertThat(names(
                        p -> p.circuitBreaker(cb -> {}).circuitBreaker(cb -> {}).timeout(SECOND)))
                .containsExactly("payments", "payments2", "timeout");
    }

    @Test
    void nameGivenByHandIsLeftToWhomItWasGiven() {
        assertThat(names(p -> p.timeout(MINUTE).timeout(SECOND).as("timeout"))).containsExactly("timeout2", "timeout");
        assertThat(names(p -> p.timeout(MINUTE).as("timeout2").timeout(SECOND).timeout(SECOND)))
                .containsExactly("timeout2", "timeout", "timeout3");
        assertThat(names(p -> p.timeout(MINUTE).strategy(Timeout.of(SECOND)))).containsExactly("timeout2", "timeout");
    }

    @Test
    void twoOfOneNameAreAWarning() {
        assertThat(pipeline(p -> p.timeout(MINUTE).as("limit").timeout(SECOND).as("limit"))
                        .warnings())
                .containsExactly(
                        "more than one strategy is called limit: rejections, events and metrics do not tell them"
                                + " apart");
        assertThat(pipeline(p -> p.timeout(MINUTE).as("limit").timeout(SECOND)).warnings())
                .isEmpty();
    }

    @Test
    void problemsCallStrategiesByTheirNames() {
        assertThatThrownBy(() -> pipeline(p -> p.timeout(MINUTE)
                        .circuitBreaker(cb -> {})
                        .circuitBreaker(cb -> cb.failureRatio(2))
                        .timeout(Duration.ZERO)
                        .retryBudget(b -> b.ratio(-1))))
                .isInstanceOf(SettingsException.class)
                .hasMessage("payments.circuitBreaker2.failureRatio is 2.0, must be more than 0 and at most 1;"
                        + " payments.timeout2.limit is 0 s, must be from 1 ns to 1 d;"
                        + " payments.retryBudget.ratio is -1.0, must be from 0 to 10");
    }

    @Test
    void pipelineIsShownByNames() {
        assertThat(Pipeline.standard("payments").build())
                .hasToString("payments [totalTimeout > concurrencyLimiter > retry > circuitBreaker > attemptTimeout]");
    }

    @Test
    void budgetCanBeDescribedInThePipeline() {
        Retry retry = pipeline(p -> p.retryBudget(b -> b.maximumSaved(7)).retry(r -> {}))
                .strategy(Retry.class)
                .orElseThrow();
        assertThat(retry.budget().map(RetryBudget::available)).contains(7.0);
        Retry standard = Pipeline.standard("payments")
                .retryBudget(b -> b.maximumSaved(8))
                .build()
                .strategy(Retry.class)
                .orElseThrow();
        assertThat(standard.budget().map(RetryBudget::available)).contains(8.0);
    }

    @Test
    void standardPipelineIsBuiltAnewEachTimeAndAsksForItsSettingsOnce() {
        AtomicInteger asked = new AtomicInteger();
        var builder = Pipeline.<String>standard("payments").circuitBreaker(cb -> asked.incrementAndGet());
        Pipeline<String> first = builder.build();
        assertThat(asked).hasValue(1);
        Pipeline<String> second = builder.build();
        assertThat(asked).hasValue(2);
        assertThat(second.strategies()).hasSize(5).doesNotContainAnyElementsOf(first.strategies());
        assertThat(second.strategy(CircuitBreaker.class).orElseThrow().options())
                .hasToString(first.strategy(CircuitBreaker.class)
                        .orElseThrow()
                        .options()
                        .toString());
    }

    @Test
    void durationsThatWereWorkedOutAreToldInMilliseconds() {
        assertThat(pipeline(p -> p.timeout(SECOND)
                                .retry(r -> r.exponentialBackoff(SECOND).jitter()))
                        .warnings())
                .singleElement()
                .asString()
                .matches("retry can wait for up to \\d+ ms in all, which does not fit into timeout of 1 s");
    }
}
