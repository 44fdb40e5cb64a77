package dev.recloser.tests.engine;

import static dev.recloser.StandardPipelineBuilder.ATTEMPT_TIMEOUT;
import static dev.recloser.StandardPipelineBuilder.CIRCUIT_BREAKER;
import static dev.recloser.StandardPipelineBuilder.CONCURRENCY_LIMITER;
import static dev.recloser.StandardPipelineBuilder.RETRY;
import static dev.recloser.StandardPipelineBuilder.TOTAL_TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitOpenException;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.PipelineDescription.Part;
import dev.recloser.RetryBudget;
import dev.recloser.SettingsException;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.retry.Retry;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The standard pipeline: its order and defaults, what can be changed, and what is refused. */
class StandardPipelineTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();

    private StandardPipelineBuilder<String> standard() {
        return Pipeline.<String>standard("payments").time(time);
    }

    private static List<String> names(StandardPipelineBuilder<String> builder) {
        return builder.build().describe().strategies().stream().map(Part::name).toList();
    }

    private static void assertRefused(StandardPipelineBuilder<String> builder, String message) {
        assertThatThrownBy(builder::build).isInstanceOf(SettingsException.class).hasMessage(message);
    }

    // ---- what it is

    @Test
    void takesANumberForTheLimiter() {
        Pipeline<String> pipeline = standard().concurrencyLimiter(7).build();
        assertThat(pipeline.strategy(ConcurrencyLimiter.class))
                .hasValueSatisfying(limiter -> assertThat(limiter.settings())
                        .containsEntry("maxConcurrent", "7")
                        .containsEntry("queue", "0"));
        assertThat(names(standard().without(CONCURRENCY_LIMITER).concurrencyLimiter(7)))
                .contains(CONCURRENCY_LIMITER);
        assertRefused(
                standard().concurrencyLimiter(0),
                "payments.concurrencyLimiter.maxConcurrent is 0, must be from 1 to 1000000");
    }

    @Test
    void describesItselfWithItsDefaults() {
        assertThat(standard().build().describe().toString()).isEqualTo("""
                        payments
                          1. totalTimeout (Timeout) {limit=30 s, detached=false}
                          2. concurrencyLimiter {maxConcurrent=1000, queue=0, maxWait=1 d}
                          3. retry {maxRetries=3, exponentialBackoff=2 s x 2.0, jitter=true, maxDelay=30 s, delayFrom=nothing, \
                        budget={ratio=0.2, minimumPerSecond=10.0, maximumSaved=100.0}, failuresAre=exceptions}
                          4. payments (CircuitBreaker) {failureRatio=0.1, minimumThroughput=100, samplingDuration=30 s, \
                        breakDuration=5 s, breakGrowth=NONE, breakJitter=0.0, breakDurationFrom=nothing, probes=1, \
                        successesToClose=1, probeLease=default, timeoutInside=10 s, whenInconclusive=reopen, healthCheck=none, \
                        rampUp=0 s, observeOnly=false, failuresAre=exceptions}
                          5. attemptTimeout (Timeout) {limit=10 s, detached=false}
                          note: the circuit breaker sees attempts: it stands inside retry, and each attempt counts""");
    }

    @Test
    void nothingIsUnwiseAboutTheDefaults() {
        assertThat(standard().build().warnings()).isEmpty();
    }

    @Test
    void eachStrategyCanBeLeftOut() {
        assertThat(names(standard().without(TOTAL_TIMEOUT)))
                .containsExactly("concurrencyLimiter", "retry", "payments", "attemptTimeout");
        assertThat(names(standard().without(CONCURRENCY_LIMITER)))
                .containsExactly("totalTimeout", "retry", "payments", "attemptTimeout");
        assertThat(names(standard().without(RETRY)))
                .containsExactly("totalTimeout", "concurrencyLimiter", "payments", "attemptTimeout");
        assertThat(names(standard().without(CIRCUIT_BREAKER)))
                .containsExactly("totalTimeout", "concurrencyLimiter", "retry", "attemptTimeout");
        assertThat(names(standard().without(ATTEMPT_TIMEOUT)))
                .containsExactly("totalTimeout", "concurrencyLimiter", "retry", "payments");
        assertThat(names(standard().without(RETRY).without(CIRCUIT_BREAKER)))
                .containsExactly("totalTimeout", "concurrencyLimiter", "attemptTimeout");
    }

    @Test
    void changingAStrategyThatWasLeftOutBringsItBack() {
        assertThat(names(standard().without(RETRY).retry(r -> r.maxRetries(1))))
                .containsExactly("totalTimeout", "concurrencyLimiter", "retry", "payments", "attemptTimeout");
    }

    @Test
    void strategyThatIsPutBackHasTheSettingsThatItHad() {
        StandardPipelineBuilder<String> builder = standard()
                .attemptTimeout(Duration.ofSeconds(3))
                .retry(r -> r.maxRetries(1))
                .without(ATTEMPT_TIMEOUT)
                .without(RETRY);
        assertThat(builder.has(ATTEMPT_TIMEOUT)).isFalse();
        builder.with(ATTEMPT_TIMEOUT).with(RETRY).with(TOTAL_TIMEOUT);
        assertThat(builder.has(ATTEMPT_TIMEOUT)).isTrue();
        assertThat(builder.build().describe().strategies())
                .extracting(part -> part.settings().values().iterator().next())
                .containsExactly("30 s", "1000", "1", "0.1", "3 s");
    }

    @Test
    void changesLeaveTheOtherDefaultsAsTheyAre() {
        Pipeline<String> pipeline = standard()
                .concurrencyLimiter(limiter -> limiter.queue(5))
                .retry(retry -> retry.maxRetries(1))
                .circuitBreaker(breaker -> breaker.failureRatio(.5))
                .circuitBreaker(breaker -> breaker.breakDuration(Duration.ofSeconds(9)))
                .build();
        List<Part> parts = pipeline.describe().strategies();
        assertThat(parts.get(1).settings())
                .containsEntry("maxConcurrent", "1000")
                .containsEntry("queue", "5");
        assertThat(parts.get(2).settings())
                .containsEntry("maxRetries", "1")
                .containsEntry("exponentialBackoff", "2 s x 2.0");
        assertThat(parts.get(3).settings())
                .containsEntry("failureRatio", "0.5")
                .containsEntry("minimumThroughput", "100")
                .containsEntry("breakDuration", "9 s");
    }

    @Test
    void budgetCanBeShared() {
        RetryBudget budget = RetryBudget.ofDefaults(time);
        Pipeline<String> pipeline = standard().retryBudget(budget).build();
        assertThat(pipeline.strategy(Retry.class).orElseThrow().budget()).containsSame(budget);
    }

    // ---- what is refused

    @Test
    void strategyThatDoesNotExistCannotBeLeftOut() {
        assertThatThrownBy(() -> standard().with("breaker")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> standard().has("breaker")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> standard().without("breaker"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no strategy is called breaker; there are [totalTimeout, concurrencyLimiter, retry,"
                        + " circuitBreaker, attemptTimeout]");
    }

    @Test
    void attemptThatMayTakeLongerThanTheTotalIsRefused() {
        assertRefused(
                standard().totalTimeout(Duration.ofSeconds(5)),
                "payments.attemptTimeout is 10 s, must be at most the totalTimeout of 5 s");
    }

    @Test
    void samplingShorterThanTwoAttemptsIsRefused() {
        assertRefused(
                standard().circuitBreaker(breaker -> breaker.samplingDuration(Duration.ofSeconds(19))),
                "payments.circuitBreaker.samplingDuration is 19 s, must be at least twice the attemptTimeout of 10 s");
    }

    @Test
    void boundsThemselvesAreAllowed() {
        Pipeline<String> pipeline = standard()
                .totalTimeout(Duration.ofSeconds(15))
                .attemptTimeout(Duration.ofSeconds(15))
                .without(RETRY)
                .build();
        assertThat(pipeline.warnings()).hasSize(1);
    }

    @Test
    void whatIsLeftOutIsNotCompared() {
        assertThat(names(standard()
                        .attemptTimeout(Duration.ofSeconds(40))
                        .without(TOTAL_TIMEOUT)
                        .without(CIRCUIT_BREAKER)))
                .hasSize(3);
        assertThat(names(standard().totalTimeout(Duration.ofSeconds(1)).without(ATTEMPT_TIMEOUT)))
                .hasSize(4);
    }

    @Test
    void everythingWrongIsSaidAtOnce() {
        assertRefused(
                standard()
                        .totalTimeout(Duration.ZERO)
                        .concurrencyLimiter(limiter -> limiter.maxConcurrent(0))
                        .retry(retry -> retry.maxRetries(-1))
                        .circuitBreaker(breaker -> breaker.failureRatio(2))
                        .attemptTimeout(Duration.ofDays(2)),
                "payments.totalTimeout.limit is 0 s, must be from 1 ns to 1 d;"
                        + " payments.concurrencyLimiter.maxConcurrent is 0, must be from 1 to 1000000;"
                        + " payments.retry.maxRetries is -1, must be from 0 to 1000000;"
                        + " payments.circuitBreaker.failureRatio is 2.0, must be more than 0 and at most 1;"
                        + " payments.attemptTimeout.limit is 2 d, must be from 1 ns to 1 d;"
                        + " payments.attemptTimeout is 2 d, must be at most the totalTimeout of 0 s");
    }

    // ---- what it does

    @ParameterizedTest
    @MethodSource(MODES)
    void failureIsRetriedAndTheRetryEndsWithTheOpenCircuit(CallMode mode) {
        Pipeline<String> pipeline = standard()
                .retry(retry -> retry.constantDelay(Duration.ZERO))
                .circuitBreaker(breaker -> breaker.failureRatio(.5).minimumThroughput(2))
                .build();
        OngoingCall<String> call =
                mode.start(pipeline).fail(1, new IOException()).awaitAttempts(2).fail(2, new IOException());
        assertThat(call.error()).isInstanceOfSatisfying(CircuitOpenException.class, open -> {
            assertThat(open.strategy()).isEqualTo("payments");
            assertThat(open.earlierFailures()).hasSize(2);
        });
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptThatHangsIsCutAndCounts(CallMode mode) {
        Pipeline<String> pipeline = standard().without(RETRY).build();
        OngoingCall<String> call = mode.start(pipeline);
        time.advance(Duration.ofSeconds(10));
        assertThat(call.error())
                .isInstanceOfSatisfying(
                        TimedOutException.class,
                        cut -> assertThat(cut.strategy()).isEqualTo("attemptTimeout"));
        assertThat(pipeline.strategy(CircuitBreaker.class)
                        .orElseThrow()
                        .snapshot()
                        .failures())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void waitForAPermitIsWithinTheTotalTimeout(CallMode mode) {
        Pipeline<String> pipeline = standard()
                .concurrencyLimiter(limiter -> limiter.maxConcurrent(1).queue(1))
                .totalTimeout(Duration.ofSeconds(5))
                .attemptTimeout(Duration.ofSeconds(5))
                .without(RETRY)
                .build();
        OngoingCall<String> holding = mode.start(pipeline);
        time.advance(Duration.ofSeconds(1));
        OngoingCall<String> waiting = mode.start(pipeline);
        assertThat(mode.start(pipeline).error()).isInstanceOf(LimitReachedException.class);
        time.advance(Duration.ofSeconds(3));
        holding.succeed("fine");
        assertThat(waiting.awaitAttempts(1).context(1).remaining()).contains(Duration.ofSeconds(2));
        time.advance(Duration.ofSeconds(2));
        assertThat(waiting.error())
                .isInstanceOfSatisfying(
                        TimedOutException.class,
                        cut -> assertThat(cut.strategy()).isEqualTo("totalTimeout"));
    }
}
