package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitOpenException;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.RateExceededException;
import dev.recloser.RejectedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Every warning and every note, once where it is due and once where it is not. */
class PipelineAdviceTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Pipeline<String> pipeline(UnaryOperator<PipelineBuilder<String>> strategies) {
        return strategies.apply(Pipeline.named("p")).build();
    }

    private static List<String> warnings(UnaryOperator<PipelineBuilder<String>> strategies) {
        return pipeline(strategies).warnings();
    }

    private static List<String> notes(UnaryOperator<PipelineBuilder<String>> strategies) {
        return pipeline(strategies).describe().notes();
    }

    @Test
    void breakerWithoutATimeoutInside() {
        assertThat(warnings(p -> p.timeout(SECOND).circuitBreaker(cb -> {})))
                .containsExactly(
                        "no timeout stands inside the circuit breaker: of calls that hang it learns late, or nothing");
        assertThat(warnings(p -> p.circuitBreaker(cb -> {}).timeout(SECOND))).isEmpty();
    }

    @Test
    void breakerThatCountsWhatALimiterRejects() {
        assertThat(warnings(p -> p.circuitBreaker(cb -> cb.handle(RejectedException.class))
                        .concurrencyLimiter(10)
                        .rateLimiter(r -> r.tokenBucket(10, SECOND))
                        .timeout(SECOND)))
                .containsExactly(
                        "the circuit breaker counts what concurrencyLimiter inside it rejects as failures: load alone can"
                                + " open the circuit",
                        "the circuit breaker counts what rateLimiter inside it rejects as failures: load alone can open"
                                + " the circuit");
        assertThat(warnings(
                        p -> p.circuitBreaker(cb -> {}).concurrencyLimiter(10).timeout(SECOND)))
                .isEmpty();
    }

    @Test
    void eachLimiterIsJudgedByItsOwnRejection() {
        assertThat(warnings(p -> p.circuitBreaker(cb -> cb.handle(RateExceededException.class))
                        .concurrencyLimiter(10)
                        .timeout(SECOND)))
                .isEmpty();
        assertThat(warnings(p -> p.circuitBreaker(cb -> cb.handle(LimitReachedException.class))
                        .adaptiveLimiter(a -> a.latencyGoal(SECOND))
                        .timeout(SECOND)))
                .hasSize(1);
    }

    @Test
    void predicateThatIsNotMadeForBeingAskedBeforehandGivesNoWarning() {
        assertThat(warnings(p -> p.circuitBreaker(cb -> cb.when(error -> {
                            throw new IllegalStateException("asked about " + error);
                        }))
                        .concurrencyLimiter(10)
                        .timeout(SECOND)))
                .isEmpty();
    }

    @Test
    void timeoutThatIsNotLongerThanOneInsideIt() {
        assertThat(warnings(p -> p.timeout(SECOND).as("outer").timeout(SECOND).as("inner")))
                .containsExactly(
                        "outer of 1 s is not longer than inner of 1 s inside it, which therefore never cuts a call");
        assertThat(warnings(p -> p.timeout(SECOND.plusNanos(1)).timeout(SECOND)))
                .isEmpty();
        assertThat(warnings(p -> p.timeout(SECOND).timeout(t -> t.limitFrom(context -> SECOND))))
                .isEmpty();
    }

    @Test
    void retryWhoseDelaysDoNotFitTheTimeoutAround() {
        assertThat(warnings(p -> p.timeout(SECOND.multipliedBy(3))
                        .retry(r -> r.maxRetries(2).constantDelay(SECOND))
                        .timeout(SECOND.plusMillis(1))))
                .containsExactly(
                        "retry can wait for up to 2 s in all, and its last attempt take 1001 ms, which does not"
                                + " fit into timeout of 3 s");
        assertThat(warnings(p -> p.timeout(SECOND.multipliedBy(3))
                        .retry(r -> r.maxRetries(2).constantDelay(SECOND))
                        .timeout(SECOND)))
                .isEmpty();
    }

    @Test
    void retryWhoseDelaysAloneDoNotFitTheTimeoutAround() {
        assertThat(warnings(p -> p.timeout(SECOND).retry(r -> r.maxRetries(2).constantDelay(SECOND))))
                .containsExactly("retry can wait for up to 2 s in all, which does not fit into timeout of 1 s");
    }

    @Test
    void retryOfWhatAnOpenCircuitRejects() {
        assertThat(warnings(p -> p.retry(r -> r.handle(CircuitOpenException.class))
                        .circuitBreaker(cb -> {})
                        .timeout(SECOND)))
                .containsExactly("retry retries what an open circuit rejects: it waits for nothing");
        assertThat(warnings(p -> p.retry(r -> r.handle(IOException.class))
                        .circuitBreaker(cb -> {})
                        .timeout(SECOND)))
                .isEmpty();
    }

    @Test
    void retryInsideARetry() {
        assertThat(warnings(p -> p.retry(r -> r.maxRetries(3)).as("outer").retry(r -> r.maxRetries(2))))
                .containsExactly("retry stands inside outer: their attempts multiply, to 12");
        assertThat(warnings(p -> p.retry(r -> {}))).isEmpty();
    }

    @Test
    void hedgingAroundARetry() {
        assertThat(warnings(p -> p.hedging(h -> {}).retry(r -> {})))
                .containsExactly("retry stands inside hedging: each hedge retries by itself, and attempts multiply");
        assertThat(warnings(p -> p.retry(r -> {}).hedging(h -> {}))).isEmpty();
    }

    @Test
    void hedgingThatWaitsAsLongAsATimeout() {
        assertThat(warnings(p -> p.hedging(h -> h.delay(SECOND)).timeout(SECOND)))
                .containsExactly("hedging waits for 1 s, not less than timeout of 1 s: no attempt is ever hedged for"
                        + " being slow");
        assertThat(warnings(p -> p.timeout(SECOND).hedging(h -> h.delay(SECOND))))
                .hasSize(1);
        assertThat(warnings(p -> p.hedging(h -> h.delay(SECOND.minusNanos(1))).timeout(SECOND)))
                .isEmpty();
    }

    @Test
    void fallbackInsideWhatShouldSeeTheFailures() {
        assertThat(warnings(p -> p.retry(r -> {})
                        .circuitBreaker(cb -> {})
                        .timeout(SECOND)
                        .fallback(f -> f.value("x"))))
                .containsExactly(
                        "fallback stands inside retry, which never sees the failures that it replaces: they are not"
                                + " retried",
                        "fallback stands inside the circuit breaker, which never sees the failures that it replaces");
        assertThat(warnings(p -> p.fallback(f -> f.value("x"))
                        .retry(r -> {})
                        .circuitBreaker(cb -> {})
                        .timeout(SECOND)))
                .isEmpty();
    }

    @Test
    void adaptiveLimiterAroundWhatRepeats() {
        assertThat(warnings(p -> p.adaptiveLimiter(a -> a.latencyGoal(SECOND))
                        .retry(r -> {})
                        .hedging(h -> {})))
                .containsExactly(
                        "adaptiveLimiter stands around retry and takes its delays for latency of the dependency",
                        "adaptiveLimiter stands around hedging and takes its delays for latency of the dependency");
        assertThat(warnings(p -> p.retry(r -> {}).adaptiveLimiter(a -> a.latencyGoal(SECOND))))
                .isEmpty();
    }

    @Test
    void queueInWhichCallsMayWaitForADay() {
        assertThat(warnings(p -> p.concurrencyLimiter(l -> l.maxConcurrent(10).queue(5))))
                .containsExactly("concurrencyLimiter has a queue, in which calls may wait for a day: set maxWait, or a"
                        + " timeout around it");
        assertThat(warnings(p ->
                        p.concurrencyLimiter(l -> l.maxConcurrent(10).queue(5).maxWait(SECOND))))
                .isEmpty();
        assertThat(warnings(p -> p.timeout(SECOND)
                        .concurrencyLimiter(l -> l.maxConcurrent(10).queue(5))))
                .isEmpty();
        assertThat(warnings(p -> p.concurrencyLimiter(10))).isEmpty();
    }

    @Test
    void breakerInsideWhatRepeatsSeesAttempts() {
        assertThat(notes(p -> p.retry(r -> {})
                        .hedging(h -> {})
                        .circuitBreaker(cb -> {})
                        .timeout(SECOND)))
                .containsExactly(
                        "the circuit breaker sees attempts: it stands inside retry, and each attempt counts",
                        "the circuit breaker sees attempts: it stands inside hedging, and each attempt counts");
        assertThat(notes(p -> p.circuitBreaker(cb -> {}).timeout(SECOND))).isEmpty();
    }

    @Test
    void breakerAroundWhatRepeatsSeesWholeCalls() {
        assertThat(notes(p -> p.circuitBreaker(cb -> {}).retry(r -> {}).timeout(SECOND)))
                .containsExactly("the circuit breaker sees whole calls: it stands around retry, and all attempts of a"
                        + " call count as one");
    }

    @Test
    void limiterInsideWhatRepeatsIsAskedForEachAttempt() {
        assertThat(notes(p -> p.retry(r -> {})
                        .concurrencyLimiter(10)
                        .adaptiveLimiter(a -> a.latencyGoal(SECOND))
                        .rateLimiter(r -> r.tokenBucket(10, SECOND))))
                .containsExactly(
                        "each attempt of retry needs a permit of concurrencyLimiter, which stands inside it",
                        "each attempt of retry needs a permit of adaptiveLimiter, which stands inside it",
                        "each attempt of retry needs a permit of rateLimiter, which stands inside it");
        assertThat(notes(p -> p.concurrencyLimiter(10).retry(r -> {}))).isEmpty();
    }

    @Test
    void descriptionEndsWithNotesAndWarnings() {
        assertThat(pipeline(p -> p.retry(r -> {}).circuitBreaker(cb -> {}))
                        .describe()
                        .toString())
                .endsWith("\n  note: the circuit breaker sees attempts: it stands inside retry, and each attempt counts"
                        + "\n  warning: no timeout stands inside the circuit breaker: of calls that hang it learns late, or"
                        + " nothing");
    }
}
