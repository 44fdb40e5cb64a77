package dev.recloser.http;

import static dev.recloser.StandardPipelineBuilder.ATTEMPT_TIMEOUT;
import static dev.recloser.StandardPipelineBuilder.CIRCUIT_BREAKER;
import static dev.recloser.StandardPipelineBuilder.CONCURRENCY_LIMITER;
import static dev.recloser.StandardPipelineBuilder.RETRY;
import static dev.recloser.StandardPipelineBuilder.TOTAL_TIMEOUT;

import dev.recloser.StandardPipelineBuilder;
import dev.recloser.circuitbreaker.BreakGrowth;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterBuilder;
import dev.recloser.retry.RetryBuilder;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A property that clients read, and what it changes.
 *
 * @param name its name, that of the strategy included
 * @param strategy the strategy that it belongs to; empty for the client itself
 * @param value how its value is read
 * @param change changes the pipeline; nothing for the client itself, which asks for the value
 * @param <T> what its value is
 */
record ClientProperty<T>(
        String name,
        String strategy,
        PropertyValue<T> value,
        BiConsumer<StandardPipelineBuilder<HttpResponse<?>>, T> change) {

    /** The end of the names of those that switch a strategy on and off. */
    static final String ENABLED = ".enabled";

    static final ClientProperty<Duration> RETRY_DELAY =
            retry("delay", PropertyValue.DURATION, RetryBuilder::firstDelay);
    static final ClientProperty<Duration> CONNECT_TIMEOUT = ofClient("connectTimeout", PropertyValue.DURATION);
    static final ClientProperty<Integer> MAX_PARTITIONS = ofClient("maxPartitions", PropertyValue.WHOLE);
    static final ClientProperty<Boolean> TIMEOUTS_COVER_BODY = ofClient("timeoutsCoverBody", PropertyValue.SWITCH);
    static final ClientProperty<Double> EXPECTED_REQUESTS_PER_SECOND =
            ofClient("expectedRequestsPerSecond", PropertyValue.NUMBER);

    /** All that there are, in the order in which they are best read. */
    static final List<ClientProperty<?>> ALL = all();

    /** How delays grow from one retry to the next. */
    enum BackoffKind {
        CONSTANT,
        LINEAR,
        EXPONENTIAL
    }

    private static List<ClientProperty<?>> all() {
        List<ClientProperty<?>> all = new ArrayList<>();
        all.add(new ClientProperty<>(
                TOTAL_TIMEOUT, TOTAL_TIMEOUT, PropertyValue.DURATION, StandardPipelineBuilder::totalTimeout));
        all.add(enabled(TOTAL_TIMEOUT));
        all.addAll(ofLimiter());
        all.add(enabled(CONCURRENCY_LIMITER));
        all.addAll(ofRetry());
        all.add(enabled(RETRY));
        all.addAll(ofBreaker());
        all.add(enabled(CIRCUIT_BREAKER));
        all.add(new ClientProperty<>(
                ATTEMPT_TIMEOUT, ATTEMPT_TIMEOUT, PropertyValue.DURATION, StandardPipelineBuilder::attemptTimeout));
        all.add(enabled(ATTEMPT_TIMEOUT));
        all.addAll(List.of(CONNECT_TIMEOUT, MAX_PARTITIONS, TIMEOUTS_COVER_BODY, EXPECTED_REQUESTS_PER_SECOND));
        return List.copyOf(all);
    }

    private static List<ClientProperty<?>> ofLimiter() {
        return List.of(
                limiter("maxConcurrent", PropertyValue.WHOLE, ConcurrencyLimiterBuilder::maxConcurrent),
                limiter("queue", PropertyValue.WHOLE, ConcurrencyLimiterBuilder::queue),
                limiter("maxWait", PropertyValue.DURATION, ConcurrencyLimiterBuilder::maxWait));
    }

    private static List<ClientProperty<?>> ofRetry() {
        return List.of(
                retry("maxRetries", PropertyValue.WHOLE, RetryBuilder::maxRetries),
                retry("backoff", PropertyValue.oneOf(BackoffKind.class), ClientProperty::backoff),
                RETRY_DELAY,
                retry("jitter", PropertyValue.SWITCH, (r, on) -> {
                    if (on) {
                        r.jitter();
                    } else {
                        r.withoutJitter();
                    }
                }),
                retry("maxDelay", PropertyValue.DURATION, RetryBuilder::maxDelay));
    }

    private static void backoff(RetryBuilder<HttpResponse<?>> retry, BackoffKind kind) {
        switch (kind) {
            case CONSTANT -> retry.constantDelay(retry.firstDelay());
            case LINEAR -> retry.linearBackoff(retry.firstDelay());
            case EXPONENTIAL -> retry.exponentialBackoff(retry.firstDelay());
        }
    }

    private static List<ClientProperty<?>> ofBreaker() {
        return List.of(
                breaker("failureRatio", PropertyValue.NUMBER, CircuitBreakerBuilder::failureRatio),
                breaker("minimumThroughput", PropertyValue.WHOLE, CircuitBreakerBuilder::minimumThroughput),
                breaker("samplingDuration", PropertyValue.DURATION, CircuitBreakerBuilder::samplingDuration),
                breaker("breakDuration", PropertyValue.DURATION, CircuitBreakerBuilder::breakDuration),
                breaker("breakGrowth", PropertyValue.oneOf(BreakGrowth.class), CircuitBreakerBuilder::breakGrowth),
                breaker("maximumBreakDuration", PropertyValue.DURATION, CircuitBreakerBuilder::maximumBreakDuration),
                breaker("breakJitter", PropertyValue.NUMBER, CircuitBreakerBuilder::breakJitter),
                breaker("probes", PropertyValue.WHOLE, CircuitBreakerBuilder::probes),
                breaker("successesToClose", PropertyValue.WHOLE, CircuitBreakerBuilder::successesToClose),
                breaker("probeLease", PropertyValue.DURATION, CircuitBreakerBuilder::probeLease),
                breaker("rampUp", PropertyValue.DURATION, CircuitBreakerBuilder::rampUp),
                breaker("observeOnly", PropertyValue.SWITCH, CircuitBreakerBuilder::observeOnly));
    }

    private static <T> ClientProperty<T> ofClient(String name, PropertyValue<T> value) {
        return new ClientProperty<>(name, "", value, (pipeline, read) -> {});
    }

    private static ClientProperty<Boolean> enabled(String strategy) {
        return new ClientProperty<>(strategy + ENABLED, strategy, PropertyValue.SWITCH, (pipeline, on) -> {
            if (on) {
                pipeline.with(strategy);
            } else {
                pipeline.without(strategy);
            }
        });
    }

    private static <T> ClientProperty<T> limiter(
            String name, PropertyValue<T> value, BiConsumer<ConcurrencyLimiterBuilder, T> change) {
        return new ClientProperty<>(
                CONCURRENCY_LIMITER + "." + name,
                CONCURRENCY_LIMITER,
                value,
                (pipeline, read) -> pipeline.concurrencyLimiter(limiter -> change.accept(limiter, read)));
    }

    private static <T> ClientProperty<T> retry(
            String name, PropertyValue<T> value, BiConsumer<RetryBuilder<HttpResponse<?>>, T> change) {
        return new ClientProperty<>(
                RETRY + "." + name,
                RETRY,
                value,
                (pipeline, read) -> pipeline.retry(retry -> change.accept(retry, read)));
    }

    private static <T> ClientProperty<T> breaker(
            String name, PropertyValue<T> value, BiConsumer<CircuitBreakerBuilder<HttpResponse<?>>, T> change) {
        return new ClientProperty<>(
                CIRCUIT_BREAKER + "." + name,
                CIRCUIT_BREAKER,
                value,
                (pipeline, read) -> pipeline.circuitBreaker(breaker -> change.accept(breaker, read)));
    }

    /** Whether it switches its strategy on and off. */
    boolean isSwitch() {
        return name.endsWith(ENABLED);
    }
}
