package dev.recloser;

import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.FailureRule;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterBuilder;
import dev.recloser.retry.RetryBuilder;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a pipeline of five strategies in the order that suits most calls over a network, with defaults that can be changed one by
 * one. From the outside in:
 *
 * <table>
 * <caption>the standard order</caption>
 * <tr><th>strategy</th><th>default</th><th>why here</th></tr>
 * <tr><td>{@value #TOTAL_TIMEOUT}</td><td>30 s</td><td>bounds all that follows, also the wait for a permit</td></tr>
 * <tr><td>{@value #CONCURRENCY_LIMITER}</td><td>1000 calls, no queue</td><td>a call holds one permit, however often it is tried</td></tr>
 * <tr><td>{@value #RETRY}</td><td>3 retries, exponential from 2 s with jitter</td><td>around the breaker, so that it stops when the circuit
 * opens</td></tr>
 * <tr><td>{@value #CIRCUIT_BREAKER}</td><td>a tenth of at least 100 attempts in 30 s, break of 5 s</td><td>sees each attempt</td></tr>
 * <tr><td>{@value #ATTEMPT_TIMEOUT}</td><td>10 s</td><td>inside the breaker, so that it learns of attempts that hang</td></tr>
 * </table>
 *
 * <p>Not thread-safe.
 *
 * @param <R> what calls return
 */
public final class StandardPipelineBuilder<R extends @Nullable Object> {

    /** The name of the timeout around all attempts. */
    public static final String TOTAL_TIMEOUT = "totalTimeout";

    /** The name of the limiter. */
    public static final String CONCURRENCY_LIMITER = "concurrencyLimiter";

    /** The name of the retry. */
    public static final String RETRY = "retry";

    /** What the breaker is called here; in rejections it has the name of the pipeline. */
    public static final String CIRCUIT_BREAKER = "circuitBreaker";

    /** The name of the timeout around each attempt. */
    public static final String ATTEMPT_TIMEOUT = "attemptTimeout";

    private static final List<String> NAMES =
            List.of(TOTAL_TIMEOUT, CONCURRENCY_LIMITER, RETRY, CIRCUIT_BREAKER, ATTEMPT_TIMEOUT);

    private final String name;
    private final Set<String> without = new HashSet<>();
    private Consumer<PipelineBuilder<R>> common = pipeline -> {};
    private Duration totalTimeout = Duration.ofSeconds(30);
    private Duration attemptTimeout = Duration.ofSeconds(10);
    private Consumer<ConcurrencyLimiterBuilder> limiter = limits -> limits.maxConcurrent(1000);
    private Consumer<RetryBuilder<R>> retry = retries ->
            retries.maxRetries(3).exponentialBackoff(Duration.ofSeconds(2)).jitter();
    private Consumer<CircuitBreakerBuilder<R>> breaker = rule -> {};

    StandardPipelineBuilder(String name) {
        this.name = name;
    }

    /** How long a call may take with all its attempts and waits: more than 0, at most 1 day; by default 30 s. */
    public StandardPipelineBuilder<R> totalTimeout(Duration limit) {
        totalTimeout = Objects.requireNonNull(limit, "limit");
        return with(TOTAL_TIMEOUT);
    }

    /** How many calls may run at the same time, 1 to 1,000,000; by default 1000. */
    public StandardPipelineBuilder<R> concurrencyLimiter(int maxConcurrent) {
        return concurrencyLimiter(limits -> limits.maxConcurrent(maxConcurrent));
    }

    /** How many calls may run at the same time, and wait; by default 1000 and none. */
    public StandardPipelineBuilder<R> concurrencyLimiter(Consumer<ConcurrencyLimiterBuilder> change) {
        limiter = limiter.andThen(change);
        return with(CONCURRENCY_LIMITER);
    }

    /** How often a call is tried again, and when; by default 3 times, after delays that grow exponentially from 2 s, with jitter. */
    public StandardPipelineBuilder<R> retry(Consumer<RetryBuilder<R>> change) {
        retry = retry.andThen(change);
        return with(RETRY);
    }

    /** When the circuit opens, and for how long; by default when a tenth of at least 100 attempts within 30 s failed, for 5 s. */
    public StandardPipelineBuilder<R> circuitBreaker(Consumer<CircuitBreakerBuilder<R>> change) {
        breaker = breaker.andThen(change);
        return with(CIRCUIT_BREAKER);
    }

    /** How long one attempt may take: more than 0, not longer than the total; by default 10 s. */
    public StandardPipelineBuilder<R> attemptTimeout(Duration limit) {
        attemptTimeout = Objects.requireNonNull(limit, "limit");
        return with(ATTEMPT_TIMEOUT);
    }

    /**
     * Puts a strategy back that was {@linkplain #without left out}, with the settings that it had; one that is there stays as it is.
     *
     * @param strategy its name in the table above
     * @throws IllegalArgumentException if there is none of that name
     */
    public StandardPipelineBuilder<R> with(String strategy) {
        without.remove(known(strategy));
        return this;
    }

    /**
     * Leaves a strategy out.
     *
     * @param strategy its name in the table above
     * @throws IllegalArgumentException if there is none of that name
     */
    public StandardPipelineBuilder<R> without(String strategy) {
        without.add(known(strategy));
        return this;
    }

    /**
     * Whether a strategy is there, and not left out.
     *
     * @param strategy its name in the table above
     * @throws IllegalArgumentException if there is none of that name
     */
    public boolean has(String strategy) {
        return !without.contains(known(strategy));
    }

    private static String known(String strategy) {
        if (!NAMES.contains(strategy)) {
            throw new IllegalArgumentException("no strategy is called " + strategy + "; there are " + NAMES);
        }
        return strategy;
    }

    /** The budget that the retries spend from; by default one of the pipeline's own. */
    public StandardPipelineBuilder<R> retryBudget(RetryBudget shared) {
        Objects.requireNonNull(shared, "shared");
        return each(pipeline -> pipeline.retryBudget(shared));
    }

    /** A budget of the pipeline's own, from which the retries spend. */
    public StandardPipelineBuilder<R> retryBudget(Consumer<RetryBudgetBuilder> settings) {
        Objects.requireNonNull(settings, "settings");
        return each(pipeline -> pipeline.retryBudget(settings));
    }

    /** The time by which the strategies go: the system's by default, a virtual one in tests. */
    public StandardPipelineBuilder<R> time(TimeSource source) {
        Objects.requireNonNull(source, "source");
        return each(pipeline -> pipeline.time(source));
    }

    /** Something to be said to the builder of each pipeline. */
    private StandardPipelineBuilder<R> each(Consumer<PipelineBuilder<R>> change) {
        common = common.andThen(change);
        return this;
    }

    /**
     * The pipeline: a new one each time.
     *
     * @throws SettingsException when the settings cannot work, alone or together; it names all that is wrong
     */
    public Pipeline<R> build() {
        PipelineBuilder<R> pipeline = Pipeline.named(name);
        common.accept(pipeline);
        if (has(TOTAL_TIMEOUT)) {
            pipeline.timeout(totalTimeout).as(TOTAL_TIMEOUT);
        }
        if (has(CONCURRENCY_LIMITER)) {
            pipeline.concurrencyLimiter(limiter);
        }
        if (has(RETRY)) {
            pipeline.retry(retry);
        }
        CircuitBreakerBuilder<R> rule = new CircuitBreakerBuilder<>();
        if (has(CIRCUIT_BREAKER)) {
            breaker.accept(rule);
            pipeline.circuitBreaker(rule);
        }
        if (has(ATTEMPT_TIMEOUT)) {
            pipeline.timeout(attemptTimeout).as(ATTEMPT_TIMEOUT);
        }
        return pipeline.build(check -> checkTogether(check.in(name), rule));
    }

    private void checkTogether(SettingsCheck check, CircuitBreakerBuilder<R> rule) {
        if (!has(ATTEMPT_TIMEOUT)) {
            return;
        }
        if (has(TOTAL_TIMEOUT)) {
            check.require(
                    attemptTimeout.compareTo(totalTimeout) <= 0,
                    ATTEMPT_TIMEOUT,
                    SettingsCheck.readable(attemptTimeout),
                    "at most the " + TOTAL_TIMEOUT + " of " + SettingsCheck.readable(totalTimeout));
        }
        if (has(CIRCUIT_BREAKER)) {
            checkSampling(check, rule);
        }
    }

    /** Attempts that time out must be able to meet in one window. */
    private void checkSampling(SettingsCheck check, CircuitBreakerBuilder<R> settings) {
        SettingsCheck alone = new SettingsCheck();
        settings.check(alone);
        if (alone.problems().isEmpty() && settings.build().failureRule() instanceof FailureRule.Ratio rule) {
            check.require(
                    rule.samplingDuration().compareTo(attemptTimeout.multipliedBy(2)) >= 0,
                    CIRCUIT_BREAKER + ".samplingDuration",
                    SettingsCheck.readable(rule.samplingDuration()),
                    "at least twice the " + ATTEMPT_TIMEOUT + " of " + SettingsCheck.readable(attemptTimeout));
        }
    }
}
