package dev.recloser.benchmarks.telemetry;

import dev.recloser.Call;
import dev.recloser.Pipeline;
import dev.recloser.micrometer.RecloserMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The standard pipeline, watched by nobody or bound to a registry of Micrometer's; and what the registry itself costs at the least. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MicrometerListener {

    /** What the meters are kept in. */
    public enum Registry {
        /** The pipeline is bound to none. */
        NONE,
        /** Micrometer's own, in memory. */
        SIMPLE,
        /** The one that Prometheus scrapes. */
        PROMETHEUS;

        MeterRegistry make() {
            return this == PROMETHEUS
                    ? new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)
                    : new SimpleMeterRegistry();
        }
    }

    /** Which it is. */
    @Param({"NONE", "SIMPLE", "PROMETHEUS"})
    public Registry registry = Registry.NONE;

    private static final long NANOS = 1000;

    private String answer = "answer";
    private final Call<String, RuntimeException> work = this::answer;
    private final Pipeline<String> standard = Pipeline.<String>standard("standard")
            .totalTimeout(Duration.ofSeconds(30))
            .concurrencyLimiter(limiter -> limiter.maxConcurrent(1000))
            .retry(retry -> retry.maxRetries(3)
                    .exponentialBackoff(Duration.ofSeconds(2))
                    .jitter())
            .circuitBreaker(breaker ->
                    breaker.failureRatio(0.1).minimumThroughput(100).samplingDuration(Duration.ofSeconds(30)))
            .attemptTimeout(Duration.ofSeconds(10))
            .build();
    private Timer calls = new SimpleMeterRegistry().timer("calls");
    private Timer attempts = calls;

    private String answer() {
        return answer;
    }

    /** Binds the pipeline. */
    @Setup
    public void bind() {
        MeterRegistry made = registry.make();
        calls = made.timer("calls");
        attempts = made.timer("attempts");
        if (registry != Registry.NONE) {
            RecloserMetrics.of(made).bind(standard);
        }
    }

    /** A call that succeeds. */
    @Benchmark
    public String call() throws InterruptedException {
        return standard.call(work);
    }

    /** What no listener can do without that measures both: the time at the end of the attempt, and two timers of the registry. */
    @Benchmark
    public long timers() {
        long now = System.nanoTime();
        attempts.record(NANOS, TimeUnit.NANOSECONDS);
        calls.record(NANOS, TimeUnit.NANOSECONDS);
        return now;
    }
}
