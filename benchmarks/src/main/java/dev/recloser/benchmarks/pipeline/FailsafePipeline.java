package dev.recloser.benchmarks.pipeline;

import dev.failsafe.Bulkhead;
import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import dev.failsafe.Timeout;
import dev.failsafe.function.CheckedSupplier;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Failsafe's bulkhead, retry, breaker and one timeout, which interrupts. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FailsafePipeline {

    private String answer = "answer";
    private final CheckedSupplier<String> work = this::answer;
    private final FailsafeExecutor<Object> executor = Failsafe.with(
            Bulkhead.of(Rule.CONCURRENT),
            RetryPolicy.builder()
                    .withMaxRetries(Rule.RETRIES)
                    .withDelay(Rule.BACKOFF)
                    .build(),
            CircuitBreaker.builder()
                    .withFailureRateThreshold(Rule.FAILURE_PERCENT, Rule.MINIMUM_THROUGHPUT, Rule.SAMPLING)
                    .build(),
            Timeout.builder(Rule.ATTEMPT).withInterrupt().build());

    private String answer() {
        return answer;
    }

    /** A call that succeeds. */
    @Benchmark
    public String call() {
        return executor.get(work);
    }
}
