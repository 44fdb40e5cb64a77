package dev.recloser.benchmarks.breaker;

import dev.recloser.Call;
import dev.recloser.CircuitOpenException;
import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Ticket;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Recloser's breaker, through {@code call} and through tickets. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecloserBreaker {

    private String answer = "answer";
    private final Call<String, RuntimeException> work = this::answer;

    private final CircuitBreaker closed = CircuitBreaker.of(
            "closed",
            cb -> cb.failureRatio(Rule.FAILURE_RATIO)
                    .minimumThroughput(Rule.MINIMUM_THROUGHPUT)
                    .samplingDuration(Rule.SAMPLING));

    private final CircuitBreaker counting = CircuitBreaker.of(
            "counting", cb -> cb.openAfter(Rule.COUNT_FAILURES, Rule.COUNT_OF).withinLast(Rule.SAMPLING));

    private final CircuitBreaker consecutive =
            CircuitBreaker.of("consecutive", cb -> cb.openAfterConsecutive(Rule.COUNT_FAILURES));

    private final CircuitBreaker timing = CircuitBreaker.of(
            "timing",
            cb -> cb.failureRatio(Rule.FAILURE_RATIO)
                    .minimumThroughput(Rule.MINIMUM_THROUGHPUT)
                    .samplingDuration(Rule.SAMPLING)
                    .slowCalls(Rule.SAMPLING, Rule.FAILURE_RATIO));

    private final CircuitBreaker open = opened();

    private static CircuitBreaker opened() {
        CircuitBreaker breaker = CircuitBreaker.of(
                "open", cb -> cb.failureRatio(1).minimumThroughput(1).breakDuration(Rule.BREAK));
        ticket(breaker.acquire()).settle(OutcomeClass.FAILURE, null, new IOException("the failure that opened it"));
        return breaker;
    }

    private static Ticket ticket(Admittance answer) {
        if (answer instanceof Ticket ticket) {
            return ticket;
        }
        throw new IllegalStateException("no ticket but " + answer);
    }

    private String answer() {
        return answer;
    }

    /** A call that succeeds. */
    @Benchmark
    public String call() throws InterruptedException {
        return closed.call(work);
    }

    /** The same, with the rule that looks at the last outcomes. */
    @Benchmark
    public String countCall() throws InterruptedException {
        return counting.call(work);
    }

    /** The same, with the rule for failures in a row. */
    @Benchmark
    public String consecutiveCall() throws InterruptedException {
        return consecutive.call(work);
    }

    /** The same, with the ratio over time and a rule for slow calls beside it. */
    @Benchmark
    public String timedCall() throws InterruptedException {
        return timing.call(work);
    }

    /** The same, by code with a control flow of its own. */
    @Benchmark
    public String ticket() throws InterruptedException {
        Ticket ticket = ticket(closed.acquire());
        String value = work.call();
        ticket.settle(OutcomeClass.SUCCESS, value, null);
        return value;
    }

    /** A call that is rejected, and the exception caught. */
    @Benchmark
    public Object rejectedCall() throws InterruptedException {
        try {
            return open.call(work);
        } catch (CircuitOpenException rejection) {
            return rejection;
        }
    }

    /** A rejection as a value. */
    @Benchmark
    public Object rejectedTicket() {
        return open.acquire();
    }
}
