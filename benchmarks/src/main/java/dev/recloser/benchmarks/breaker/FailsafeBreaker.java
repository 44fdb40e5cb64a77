package dev.recloser.benchmarks.breaker;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.CircuitBreakerOpenException;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.function.CheckedSupplier;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Failsafe's breaker, with a window of time. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FailsafeBreaker {

    private String answer = "answer";
    private final CheckedSupplier<String> work = this::answer;
    private final FailsafeExecutor<Object> closed = Failsafe.with(breaker());
    private final FailsafeExecutor<Object> open = opened();

    private static CircuitBreaker<Object> breaker() {
        return CircuitBreaker.builder()
                .withFailureRateThreshold(Rule.FAILURE_PERCENT, Rule.MINIMUM_THROUGHPUT, Rule.SAMPLING)
                .withDelay(Rule.BREAK)
                .build();
    }

    private static FailsafeExecutor<Object> opened() {
        CircuitBreaker<Object> breaker = breaker();
        breaker.open();
        return Failsafe.with(breaker);
    }

    private String answer() {
        return answer;
    }

    /** A call that succeeds. */
    @Benchmark
    public String call() {
        return closed.get(work);
    }

    /** A call that is rejected. */
    @Benchmark
    public Object rejected() {
        try {
            return open.get(work);
        } catch (CircuitBreakerOpenException rejection) {
            return rejection;
        }
    }
}
