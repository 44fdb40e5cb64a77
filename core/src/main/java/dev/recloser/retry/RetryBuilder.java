package dev.recloser.retry;

import dev.recloser.Classifier;
import dev.recloser.RetryBudget;
import dev.recloser.spi.RepeatingBuilder;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Retry}. What is wrong is found when it is built, all at once. Of the three kinds of backoff the one that was said
 * last counts; by default it is exponential from 200 ms, without jitter. Not thread-safe.
 *
 * @param <R> what calls return
 */
public final class RetryBuilder<R extends @Nullable Object> extends RepeatingBuilder<R, RetryBuilder<R>> {

    static final int MOST_RETRIES = 1_000_000;

    private static final double DEFAULT_MULTIPLIER = 2;

    private Backoff.Growth growth = Backoff.Growth.EXPONENTIAL;
    private Duration base = Duration.ofMillis(200);
    private double multiplier = DEFAULT_MULTIPLIER;
    private boolean jitter;
    private @Nullable Duration maxDelay;

    int maxRetries = 3;

    @Nullable
    DelayFunction<Object> delayFunction;

    DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();

    /** A builder in which every setting has its default. */
    public RetryBuilder() {
        super(Classifier.defaults());
    }

    @Override
    protected RetryBuilder<R> self() {
        return this;
    }

    // ---- how often, and when

    /** How many attempts there may be besides the first: 0 to 1,000,000; 3 by default. */
    public RetryBuilder<R> maxRetries(int retries) {
        maxRetries = retries;
        return this;
    }

    /**
     * Waits equally long before each retry.
     *
     * @param delay how long: 0 to 1 day
     */
    public RetryBuilder<R> constantDelay(Duration delay) {
        return backoff(Backoff.Growth.CONSTANT, delay, 1);
    }

    /**
     * Waits longer before each retry: once the base, twice the base, three times the base.
     *
     * @param first the base: 0 to 1 day
     */
    public RetryBuilder<R> linearBackoff(Duration first) {
        return backoff(Backoff.Growth.LINEAR, first, 1);
    }

    /**
     * Waits twice as long before each retry as before the last one.
     *
     * @param first the first delay: 0 to 1 day
     */
    public RetryBuilder<R> exponentialBackoff(Duration first) {
        return exponentialBackoff(first, DEFAULT_MULTIPLIER);
    }

    /**
     * Waits longer before each retry, by a factor.
     *
     * @param first the first delay: 0 to 1 day
     * @param factor by how much each delay is longer than the one before: at least 1, and finite
     */
    public RetryBuilder<R> exponentialBackoff(Duration first, double factor) {
        return backoff(Backoff.Growth.EXPONENTIAL, first, factor);
    }

    /** Changes the first delay, 0 to 1 day, and keeps the kind of backoff. */
    public RetryBuilder<R> firstDelay(Duration delay) {
        base = Objects.requireNonNull(delay, "delay");
        return this;
    }

    /** The first delay that was said last. */
    public Duration firstDelay() {
        return base;
    }

    private RetryBuilder<R> backoff(Backoff.Growth newGrowth, Duration first, double factor) {
        growth = newGrowth;
        base = Objects.requireNonNull(first, "first");
        multiplier = factor;
        return this;
    }

    /**
     * Leaves delays to chance, so that callers that failed together do not come back together. Off by default.
     *
     * <p>A constant or linear delay is spread from 25 % below to 25 % above. An exponential one follows the formula of decorrelated
     * jitter, which is that of Polly: the delay before retry number {@code n}, from 0, is {@code first * (f(n + random) - f(before)) /
     * 1.4}, where {@code f(t) = factor^t * tanh(sqrt(4 t))} and {@code before} is the argument of the retry before. So with a factor of
     * 2 a delay can be anything from nothing to one and a half times its plain length, while the sum of delays follows a smooth
     * curve. With a factor below 1.5, for which the formula gives next to nothing, the delay is spread like the others. What is then
     * beyond {@link #maxDelay} is spread over its upper half.
     */
    public RetryBuilder<R> jitter() {
        jitter = true;
        return this;
    }

    /** Takes back {@link #jitter}. */
    public RetryBuilder<R> withoutJitter() {
        jitter = false;
        return this;
    }

    /**
     * As long as a delay can be: the longest to which backoff grows, and the longest that is waited because the dependency asks for
     * it; if it asks for more, there is no retry. Not shorter than the first delay, at most 1 day; by default 30 s, or twice the first
     * delay if that is longer.
     */
    public RetryBuilder<R> maxDelay(Duration longest) {
        maxDelay = Objects.requireNonNull(longest, "longest");
        return this;
    }

    /**
     * Reads from a failure how long the dependency asks to wait. The retry comes not before that, and not before its backoff is over.
     * None by default.
     */
    @SuppressWarnings("unchecked") // it is shown nothing but outcomes of calls that return R
    public RetryBuilder<R> delayFrom(DelayFunction<? super R> function) {
        delayFunction = (DelayFunction<Object>) Objects.requireNonNull(function, "function");
        return this;
    }

    /** Where the numbers for jitter come from, for tests: numbers from 0 to 1, 1 excluded. May be asked by many threads. */
    public RetryBuilder<R> random(DoubleSupplier source) {
        random = Objects.requireNonNull(source, "source");
        return this;
    }

    // ---- building

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        check.range("maxRetries", maxRetries, 0, MOST_RETRIES);
        backoff().check(check);
    }

    /**
     * A retry by itself, with a budget of its own unless these settings say otherwise.
     *
     * @param name what it is called in events and metrics
     * @param time the time by which its budget goes
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public Retry build(String name, TimeSource time) {
        return build(name, RetryBudget.ofDefaults(time));
    }

    /**
     * A retry of a pipeline.
     *
     * @param name what it is called in events and metrics
     * @param ofPipeline the budget to spend from unless these settings name another one or none; null for none
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public Retry build(String name, @Nullable RetryBudget ofPipeline) {
        SettingsCheck.throwIfWrong(this::check);
        return new Retry(name, this, budgetOr(ofPipeline));
    }

    Backoff backoff() {
        return new Backoff(growth, base, multiplier, jitter, maxDelay);
    }
}
