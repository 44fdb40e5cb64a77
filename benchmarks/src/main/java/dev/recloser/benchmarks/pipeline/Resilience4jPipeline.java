package dev.recloser.benchmarks.pipeline;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.decorators.Decorators;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Resilience4j's bulkhead, retry and breaker; it has no timeout for work on the caller's thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Resilience4jPipeline {

    /** How the breaker counts. */
    @Param({"COUNT_BASED", "TIME_BASED"})
    public SlidingWindowType window = SlidingWindowType.COUNT_BASED;

    /** How its window is kept consistent. */
    @Param({"LOCK_FREE", "SYNCHRONIZED"})
    public SlidingWindowSynchronizationStrategy synchronization = SlidingWindowSynchronizationStrategy.LOCK_FREE;

    private String answer = "answer";
    private final Supplier<String> work = this::answer;
    private Supplier<String> decorated = work;

    private String answer() {
        return answer;
    }

    /** Decorates the work once. */
    @Setup
    public void decorate() {
        Bulkhead bulkhead = Bulkhead.of(
                "bulkhead",
                BulkheadConfig.custom().maxConcurrentCalls(Rule.CONCURRENT).build());
        Retry retry = Retry.of(
                "retry",
                RetryConfig.custom()
                        .maxAttempts(Rule.RETRIES + 1)
                        .waitDuration(Rule.BACKOFF)
                        .build());
        int size = window == SlidingWindowType.TIME_BASED ? (int) Rule.SAMPLING.toSeconds() : Rule.MINIMUM_THROUGHPUT;
        CircuitBreaker breaker = CircuitBreaker.of(
                "breaker",
                CircuitBreakerConfig.custom()
                        .failureRateThreshold(Rule.FAILURE_PERCENT)
                        .slidingWindow(size, Rule.MINIMUM_THROUGHPUT, window, synchronization)
                        .build());
        decorated = Decorators.ofSupplier(work)
                .withCircuitBreaker(breaker)
                .withRetry(retry)
                .withBulkhead(bulkhead)
                .decorate();
    }

    /** A call that succeeds. */
    @Benchmark
    public String call() {
        return decorated.get();
    }
}
