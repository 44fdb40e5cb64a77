package dev.recloser.benchmarks.pipeline;

import dev.recloser.Call;
import dev.recloser.Pipeline;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Recloser's standard pipeline: two timeouts, limiter, retry with budget, and breaker. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecloserPipeline {

    private String answer = "answer";
    private final Call<String, RuntimeException> work = this::answer;

    private final Pipeline<String> standard = Pipeline.<String>standard("standard")
            .totalTimeout(Rule.TOTAL)
            .concurrencyLimiter(limiter -> limiter.maxConcurrent(Rule.CONCURRENT))
            .retry(retry -> retry.maxRetries(Rule.RETRIES)
                    .exponentialBackoff(Rule.BACKOFF)
                    .jitter())
            .circuitBreaker(breaker -> breaker.failureRatio(Rule.FAILURE_RATIO)
                    .minimumThroughput(Rule.MINIMUM_THROUGHPUT)
                    .samplingDuration(Rule.SAMPLING))
            .attemptTimeout(Rule.ATTEMPT)
            .build();

    private final Pipeline<String> withoutTimeouts = Pipeline.<String>named("without timeouts")
            .concurrencyLimiter(Rule.CONCURRENT)
            .retry(retry -> retry.maxRetries(Rule.RETRIES)
                    .exponentialBackoff(Rule.BACKOFF)
                    .jitter())
            .circuitBreaker(breaker -> breaker.failureRatio(Rule.FAILURE_RATIO)
                    .minimumThroughput(Rule.MINIMUM_THROUGHPUT)
                    .samplingDuration(Rule.SAMPLING))
            .build();

    private String answer() {
        return answer;
    }

    /** A call that succeeds. */
    @Benchmark
    public String call() throws InterruptedException {
        return standard.call(work);
    }

    /** The same with what the peers have: limiter, retry and breaker. */
    @Benchmark
    public String callWithoutTimeouts() throws InterruptedException {
        return withoutTimeouts.call(work);
    }
}
