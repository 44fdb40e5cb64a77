package dev.recloser.benchmarks.breaker;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
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

/** Resilience4j's breaker, with each of its windows. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Resilience4jBreaker {

    /** What is counted, and how it is kept consistent. */
    public enum Window {
        /** The last hundred calls, which is the default. */
        COUNT_LOCK_FREE(SlidingWindowType.COUNT_BASED, SlidingWindowSynchronizationStrategy.LOCK_FREE),
        /** The last hundred calls, under a lock. */
        COUNT_SYNCHRONIZED(SlidingWindowType.COUNT_BASED, SlidingWindowSynchronizationStrategy.SYNCHRONIZED),
        /** The last half minute. */
        TIME_LOCK_FREE(SlidingWindowType.TIME_BASED, SlidingWindowSynchronizationStrategy.LOCK_FREE),
        /** The last half minute, under a lock. */
        TIME_SYNCHRONIZED(SlidingWindowType.TIME_BASED, SlidingWindowSynchronizationStrategy.SYNCHRONIZED);

        private final SlidingWindowType type;
        private final SlidingWindowSynchronizationStrategy synchronization;

        Window(SlidingWindowType type, SlidingWindowSynchronizationStrategy synchronization) {
            this.type = type;
            this.synchronization = synchronization;
        }

        private int size() {
            return type == SlidingWindowType.TIME_BASED ? (int) Rule.SAMPLING.toSeconds() : Rule.MINIMUM_THROUGHPUT;
        }
    }

    /** The window of the breaker that is closed. */
    @Param
    public Window window = Window.COUNT_LOCK_FREE;

    private String answer = "answer";
    private final Supplier<String> work = this::answer;
    private Supplier<String> closed = work;
    private CircuitBreaker breaker = CircuitBreaker.ofDefaults("unset");
    private final Supplier<String> open = opened(false);
    private final Supplier<String> openWithStackTrace = opened(true);

    private String answer() {
        return answer;
    }

    /** Makes the closed breaker. */
    @Setup
    public void close() {
        breaker = CircuitBreaker.of(
                "closed",
                CircuitBreakerConfig.custom()
                        .failureRateThreshold(Rule.FAILURE_PERCENT)
                        .slidingWindow(window.size(), Rule.MINIMUM_THROUGHPUT, window.type, window.synchronization)
                        .build());
        closed = CircuitBreaker.decorateSupplier(breaker, work);
    }

    private Supplier<String> opened(boolean stackTrace) {
        CircuitBreaker opened = CircuitBreaker.of(
                "open",
                CircuitBreakerConfig.custom()
                        .waitDurationInOpenState(Rule.BREAK)
                        .writableStackTraceEnabled(stackTrace)
                        .build());
        opened.transitionToOpenState();
        return CircuitBreaker.decorateSupplier(opened, work);
    }

    /** A call that succeeds, of a supplier that was decorated once. */
    @Benchmark
    public String call() {
        return closed.get();
    }

    /** The same, decorated for each call. */
    @Benchmark
    public String execute() {
        return breaker.executeSupplier(work);
    }

    /** A call that is rejected, with exceptions set to have no stack trace. */
    @Benchmark
    public Object rejected() {
        return rejection(open);
    }

    /** A call that is rejected, with the default settings. */
    @Benchmark
    public Object rejectedWithStackTrace() {
        return rejection(openWithStackTrace);
    }

    private static Object rejection(Supplier<String> call) {
        try {
            return call.get();
        } catch (CallNotPermittedException rejection) {
            return rejection;
        }
    }
}
