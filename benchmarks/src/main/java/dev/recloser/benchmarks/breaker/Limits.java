package dev.recloser.benchmarks.breaker;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The least that a breaker with a time window can do: look at the clock, and count. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Limits {

    private final LongAdder count = new LongAdder();

    /** One look at the clock. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }

    /** One look at the clock, and one call counted. */
    @Benchmark
    public long clockAndCount() {
        count.increment();
        return System.nanoTime();
    }
}
