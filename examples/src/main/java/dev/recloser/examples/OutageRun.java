package dev.recloser.examples;

import dev.recloser.CircuitOpenException;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.examples.simulation.Clients;
import dev.recloser.examples.simulation.Clients.Fate;
import dev.recloser.examples.simulation.Dependency;
import dev.recloser.examples.simulation.EventQueue;
import dev.recloser.time.TimeSource;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * One outage: a service that can answer 150 calls per second gets 100, and more with what retries add. It is well, is down for a
 * minute, and is well again. Not thread-safe.
 */
public final class OutageRun {

    /** How long the service is well at first. */
    public static final Duration BEFORE = Duration.ofSeconds(20);

    /** How long it is down. */
    public static final Duration DOWN = Duration.ofSeconds(60);

    /** How long it is looked at afterwards. */
    public static final Duration AFTER = Duration.ofSeconds(60);

    /** What one line of the table is about. */
    public static final Duration STEP = Duration.ofSeconds(10);

    private static final double CALLS_PER_SECOND = 100;
    private static final int SERVERS = 15;
    private static final long SERVICE_NANOS = Duration.ofMillis(100).toNanos();
    private static final int LONG_QUEUE = 100_000;

    private final EventQueue events = new EventQueue(VirtualTime.create());
    private final Dependency service;
    private final Clients clients;
    private final Pipeline<String> pipeline;
    private final List<Step> steps = new ArrayList<>();
    private long circuitOpen;
    private long limitReached;
    private Numbers last = new Numbers(0, 0, 0, 0, 0, 0);

    /**
     * What is counted.
     *
     * @param calls how many calls were made
     * @param attempts how many reached the service
     * @param answered how many calls ended in an answer
     * @param failed how many ended in a failure or a timeout
     * @param circuitOpen how many ended because the circuit was open
     * @param limitReached how many ended because the limiter had no permit
     */
    public record Numbers(long calls, long attempts, long answered, long failed, long circuitOpen, long limitReached) {

        Numbers minus(Numbers earlier) {
            return new Numbers(
                    calls - earlier.calls,
                    attempts - earlier.attempts,
                    answered - earlier.answered,
                    failed - earlier.failed,
                    circuitOpen - earlier.circuitOpen,
                    limitReached - earlier.limitReached);
        }
    }

    /**
     * What happened within one step.
     *
     * @param fromSecond when it began
     * @param isDown whether the service was down
     * @param numbers what was counted
     * @param circuit the state of the circuit at the end, or a dash
     */
    public record Step(long fromSecond, boolean isDown, Numbers numbers, String circuit) {}

    /**
     * An outage from the start to the end.
     *
     * @param protection makes the pipeline through which the service is called
     * @param seed a seed for what is left to chance
     */
    public OutageRun(Function<TimeSource, Pipeline<String>> protection, long seed) {
        pipeline = protection.apply(events.time());
        service = new Dependency(events, SERVERS, LONG_QUEUE, Dependency.exponential(SERVICE_NANOS, seed));
        clients = Clients.poisson(events, CALLS_PER_SECOND, seed, this::call);
        watch(BEFORE, false);
        service.down(true);
        watch(DOWN, true);
        service.down(false);
        watch(AFTER, false);
    }

    private CompletableFuture<String> call() {
        return pipeline.callAsync(service::call).whenComplete((answer, error) -> {
            if (error instanceof CircuitOpenException) {
                circuitOpen++;
            } else if (error instanceof LimitReachedException) {
                limitReached++;
            }
        });
    }

    private void watch(Duration span, boolean isDown) {
        for (long passed = 0; passed < span.toSeconds(); passed += STEP.toSeconds()) {
            long from = events.time().elapsed().toSeconds();
            events.time().advance(STEP);
            Numbers now = sinceTheStart();
            steps.add(new Step(from, isDown, now.minus(last), circuit()));
            last = now;
        }
    }

    private Numbers sinceTheStart() {
        long failed = clients.count(Fate.FAILED) + clients.count(Fate.TIMED_OUT);
        return new Numbers(
                clients.calls(), service.called(), clients.count(Fate.ANSWERED), failed, circuitOpen, limitReached);
    }

    private String circuit() {
        return pipeline.strategy(CircuitBreaker.class)
                .map(breaker -> breaker.state().toString())
                .orElse("-");
    }

    /** The steps, the first first. */
    public List<Step> steps() {
        return List.copyOf(steps);
    }

    /** How many calls were made while the service was down. */
    public long callsWhileDown() {
        return whileDown(Numbers::calls);
    }

    /** How many attempts reached the service while it was down. */
    public long attemptsWhileDown() {
        return whileDown(Numbers::attempts);
    }

    private long whileDown(ToLongFunction<Numbers> number) {
        return steps.stream()
                .filter(Step::isDown)
                .map(Step::numbers)
                .mapToLong(number)
                .sum();
    }

    /** How many attempts each call became while the service was down. */
    public double amplification() {
        return (double) attemptsWhileDown() / callsWhileDown();
    }

    /** How many of the calls were answered per second, from some seconds after the outage on. */
    public double answeredPerSecond(Duration sinceOutage) {
        Duration from = BEFORE.plus(DOWN).plus(sinceOutage);
        return clients.perSecond(Fate.ANSWERED, from, BEFORE.plus(DOWN).plus(AFTER));
    }
}
