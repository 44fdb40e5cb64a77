package dev.recloser.circuitbreaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.OutcomeClass;
import dev.recloser.spi.Ticket;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every rule against a list of everything that happened: the same counts at every read, and a trip at the same recording. A million
 * events per rule. Time moves by nothing, by nanoseconds, by parts of the window and by several windows, and across the overflow of
 * the clock.
 */
@Tag("once")
class WindowOracleTest {

    private static final int EVENTS = 200_000;
    private static final CallContext CONTEXT = CallContext.named("oracle");

    /** A trace of one seed. */
    private static final class Trace {

        final long seed;
        final Random random;
        final VirtualTime time;

        Trace(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.time = VirtualTime.create().startingAt(Long.MAX_VALUE - random.nextInt(1_000_000_000));
        }

        Duration span() {
            return Duration.ofMillis(10 + random.nextInt(10_000)).plusNanos(random.nextInt(10));
        }

        /** Mostly small steps, sometimes one that leaves a slice, seldom one longer than the window. */
        void step(long span) {
            int kind = random.nextInt(1000);
            long gap = kind == 0
                    ? span + random.nextLong(span * 3)
                    : kind < 30 ? random.nextLong(span / 3) : kind < 500 ? 0 : random.nextLong(span / 200 + 1);
            time.advance(Duration.ofNanos(gap));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void ratioOverTime(long seed) {
        Trace trace = new Trace(seed);
        FailureRule.Ratio rule =
                new FailureRule.Ratio(.05 + trace.random.nextDouble() * .9, 1 + trace.random.nextInt(30), trace.span());
        CircuitBreakerOptions<Object> options = new CircuitBreakerBuilder<>()
                .failureRatio(rule.ratio())
                .minimumThroughput(rule.minimumThroughput())
                .samplingDuration(rule.samplingDuration())
                .build();
        run(trace, options, now -> new NaiveWindow.Ratio(rule, now), rule.samplingDuration(), rule.ratio() * .9);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void countOfTheLast(long seed) {
        Trace trace = new Trace(seed);
        // Short ones too, which go round within one moment of the clock.
        int of = 1 + trace.random.nextInt(seed % 2 == 0 ? 4 : 40);
        FailureRule.Count rule = new FailureRule.Count(1 + trace.random.nextInt(of), of, trace.span());
        CircuitBreakerOptions<Object> options = new CircuitBreakerBuilder<>()
                .openAfter(rule.failures(), rule.of())
                .withinLast(rule.within())
                .build();
        double failing = Math.min(.9, (double) rule.failures() / of);
        run(trace, options, now -> new NaiveWindow.Count(rule), rule.within(), failing);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void consecutive(long seed) {
        Trace trace = new Trace(seed);
        FailureRule.Consecutive rule = new FailureRule.Consecutive(1 + trace.random.nextInt(8));
        CircuitBreakerOptions<Object> options = new CircuitBreakerBuilder<>()
                .openAfterConsecutive(rule.failures())
                .build();
        run(trace, options, now -> new NaiveWindow.Consecutive(rule), trace.span(), .5);
    }

    private interface Naive {
        NaiveWindow from(long now);
    }

    private static void run(
            Trace trace, CircuitBreakerOptions<Object> options, Naive oracle, Duration span, double failing) {
        CircuitBreaker breaker = CircuitBreaker.of("oracle", options, trace.time);
        NaiveWindow naive = oracle.from(trace.time.nanoTime());
        int trips = 0;
        for (int event = 0; event < EVENTS; event++) {
            trace.step(span.toNanos());
            long now = trace.time.nanoTime();
            String at = "seed " + trace.seed + ", event " + event + ", " + options.failureRule();
            if (trace.random.nextInt(10) == 0) {
                CircuitSnapshot seen = breaker.snapshot();
                assertThat(new Tally(seen.calls(), seen.failures())).as(at).isEqualTo(naive.tally(now));
                continue;
            }
            boolean failure = trace.random.nextDouble() < failing;
            Ticket ticket = (Ticket) breaker.acquire(CONTEXT);
            ticket.settle(failure ? OutcomeClass.FAILURE : OutcomeClass.SUCCESS, null, null);
            naive.record(now, failure);
            boolean opens = naive.opens(now);
            assertThat(breaker.state() == CircuitState.OPEN).as(at).isEqualTo(opens);
            if (opens) {
                trips++;
                breaker.close();
                naive = oracle.from(now);
            }
        }
        assertThat(trips)
                .as("trips, or the trace of seed %d tests nothing", trace.seed)
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void slowCalls(long seed) {
        Trace trace = new Trace(seed);
        FailureRule.Ratio rule =
                new FailureRule.Ratio(.05 + trace.random.nextDouble() * .9, 1 + trace.random.nextInt(30), trace.span());
        Duration threshold = Duration.ofNanos(1 + rule.samplingDuration().toNanos() / 100);
        CircuitBreakerOptions<Object> options = new CircuitBreakerBuilder<>()
                .slowCalls(threshold, rule.ratio())
                .slowCallMinimumThroughput(rule.minimumThroughput())
                .slowCallSamplingDuration(rule.samplingDuration())
                .minimumThroughput(1_000_000)
                .build();
        CircuitBreaker breaker = CircuitBreaker.of("oracle", options, trace.time);
        NaiveWindow naive = new NaiveWindow.Ratio(rule, trace.time.nanoTime());
        int trips = 0;
        for (int event = 0; event < EVENTS; event++) {
            trace.step(rule.samplingDuration().toNanos() / 50);
            String at = "seed " + seed + ", event " + event;
            boolean slow = trace.random.nextDouble() < rule.ratio() * .9;
            Ticket ticket = (Ticket) breaker.acquire(CONTEXT);
            trace.time.advance(slow ? threshold.plusNanos(1) : threshold);
            // A slow call counts whether it succeeded or failed.
            ticket.settle(trace.random.nextBoolean() ? OutcomeClass.FAILURE : OutcomeClass.SUCCESS, null, null);
            long now = trace.time.nanoTime();
            naive.record(now, slow);
            boolean opens = naive.opens(now);
            assertThat(breaker.state() == CircuitState.OPEN).as(at).isEqualTo(opens);
            CircuitSnapshot seen = breaker.snapshot();
            assertThat(new Tally(seen.timedCalls(), seen.slowCalls())).as(at).isEqualTo(naive.tally(now));
            if (opens) {
                trips++;
                breaker.close();
                naive = new NaiveWindow.Ratio(rule, now);
            }
        }
        assertThat(trips)
                .as("trips, or the trace of seed %d tests nothing", seed)
                .isPositive();
    }
}
