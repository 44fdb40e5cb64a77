package dev.recloser.examples;

import static dev.recloser.StandardPipelineBuilder.CIRCUIT_BREAKER;
import static dev.recloser.StandardPipelineBuilder.CONCURRENCY_LIMITER;

import dev.recloser.Pipeline;
import dev.recloser.RetryBudget;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.examples.OutageRun.Numbers;
import dev.recloser.examples.OutageRun.Step;
import dev.recloser.time.TimeSource;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What a minute's outage does to a service and to its callers, with three kinds of protection. In virtual time: it takes seconds,
 * and the numbers are the same each time.
 */
public final class Outage {

    private static final long SEED = 1;

    private final PrintStream out;

    private Outage(PrintStream out) {
        this.out = out;
    }

    /** Prints the three runs. */
    public static void main(String[] arguments) {
        print(System.out);
    }

    /** The same, to wherever. */
    public static void print(PrintStream out) {
        new Outage(out).run();
    }

    /** A total timeout, three retries that nothing bounds, and a timeout of 1 s for each attempt. */
    public static Pipeline<String> retriesWithoutBudget(TimeSource time, long seed) {
        return standard(time, seed)
                .without(CONCURRENCY_LIMITER)
                .without(CIRCUIT_BREAKER)
                .retry(r -> r.withoutBudget())
                .build();
    }

    /** The same, with a budget. */
    public static Pipeline<String> retriesWithBudget(TimeSource time, long seed, RetryBudget budget) {
        return standard(time, seed)
                .without(CONCURRENCY_LIMITER)
                .without(CIRCUIT_BREAKER)
                .retryBudget(budget)
                .build();
    }

    /** The standard pipeline, with a circuit breaker and a limiter. */
    public static Pipeline<String> standardPipeline(TimeSource time, long seed) {
        return standard(time, seed).build();
    }

    private static StandardPipelineBuilder<String> standard(TimeSource time, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return Pipeline.<String>standard("service")
                .time(time)
                .attemptTimeout(Duration.ofSeconds(1))
                .retry(r -> r.random(random::nextDouble));
    }

    private void run() {
        out.println(
                "A service can answer 150 calls per second and gets 100. It is down for a minute, then well again.");
        OutageRun withoutBudget = new OutageRun(time -> retriesWithoutBudget(time, SEED), SEED);
        OutageRun withBudget = new OutageRun(time -> retriesWithBudget(time, SEED, RetryBudget.ofDefaults(time)), SEED);
        OutageRun standard = new OutageRun(time -> standardPipeline(time, SEED), SEED);
        print("retries without a budget", withoutBudget);
        print("retries with the budget", withBudget);
        print("the standard pipeline: with the budget, a circuit breaker and a limiter", standard);

        line("");
        line("%-26s %25s %25s", "", "attempts per call", "answers per second");
        line("%-26s %25s %25s", "", "while it was down", "from 10 s afterwards on");
        summarize("retries without a budget", withoutBudget);
        summarize("retries with the budget", withBudget);
        summarize("the standard pipeline", standard);
        line("");
        line(
                "The budget promises at most %.2f attempts per call: 1, and %.1f for each call, %.0f for each second, and"
                        + " %.0f saved up.",
                bound(withBudget),
                RetryBudget.DEFAULT_RATIO,
                RetryBudget.DEFAULT_MINIMUM_PER_SECOND,
                RetryBudget.DEFAULT_MAXIMUM_SAVED);
        line("What to look at: without a budget the retries keep the service down when its fault is long over.");
    }

    private static double bound(OutageRun run) {
        double repeated = RetryBudget.DEFAULT_RATIO * run.callsWhileDown()
                + RetryBudget.DEFAULT_MINIMUM_PER_SECOND * OutageRun.DOWN.toSeconds()
                + RetryBudget.DEFAULT_MAXIMUM_SAVED;
        return 1 + repeated / run.callsWhileDown();
    }

    private void print(String title, OutageRun run) {
        line("");
        line(title);
        line("   second  service  calls  attempts  answered  failed  rejected                  circuit");
        run.steps().forEach(this::print);
    }

    private void print(Step step) {
        Numbers numbers = step.numbers();
        line(
                "%4d-%-4d  %-7s  %5d  %8d  %8d  %6d  %-24s  %s",
                step.fromSecond(),
                step.fromSecond() + OutageRun.STEP.toSeconds(),
                step.isDown() ? "down" : "well",
                numbers.calls(),
                numbers.attempts(),
                numbers.answered(),
                numbers.failed(),
                rejected(numbers),
                step.circuit());
    }

    private static String rejected(Numbers numbers) {
        String circuit = numbers.circuitOpen() == 0 ? "" : numbers.circuitOpen() + " by the circuit";
        String limiter = numbers.limitReached() == 0 ? "" : numbers.limitReached() + " by the limiter";
        return circuit + (circuit.isEmpty() || limiter.isEmpty() ? "" : ", ") + limiter;
    }

    private void summarize(String title, OutageRun run) {
        line("%-26s %25.2f %25.0f", title, run.amplification(), run.answeredPerSecond(OutageRun.STEP));
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values).stripTrailing());
    }
}
