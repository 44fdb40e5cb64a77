package dev.recloser.benchmarks.pipeline;

import dev.recloser.benchmarks.Costs;
import dev.recloser.benchmarks.JmhRounds;
import dev.recloser.benchmarks.JmhRounds.Subject;
import dev.recloser.benchmarks.Report;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/** {@code benchmarks/run pipeline}. */
public final class PipelineComparison {

    private static final Subject STANDARD =
            Subject.of("Recloser, limiter, retry, breaker, two timeouts", RecloserPipeline.class, "call");
    private static final Subject WITHOUT_TIMEOUTS =
            Subject.of("Recloser, limiter, retry, breaker", RecloserPipeline.class, "callWithoutTimeouts");
    private static final Subject FAILSAFE =
            Subject.of("Failsafe, bulkhead, retry, breaker, one timeout", FailsafePipeline.class, "call");
    private static final List<Subject> RESILIENCE4J = Stream.of("COUNT_BASED", "TIME_BASED")
            .flatMap(window -> Stream.of("LOCK_FREE", "SYNCHRONIZED").map(kept -> resilience4j(window, kept)))
            .toList();

    private static final List<Subject> ALONE = Stream.concat(
                    Stream.of(STANDARD, WITHOUT_TIMEOUTS), Stream.concat(RESILIENCE4J.stream(), Stream.of(FAILSAFE)))
            .toList();
    private static final List<Subject> CONTENDED =
            ALONE.stream().map(Subject::onAllCores).toList();

    private PipelineComparison() {}

    private static Subject resilience4j(String window, String synchronization) {
        return new Subject(
                "Resilience4j, bulkhead, retry, breaker, "
                        + window.replace("_BASED", "").toLowerCase(Locale.ROOT) + " window, "
                        + synchronization.replace('_', ' ').toLowerCase(Locale.ROOT),
                Resilience4jPipeline.class.getName() + ".call",
                Map.of("window", window, "synchronization", synchronization),
                1);
    }

    /**
     * Runs the comparison.
     *
     * @param args a folder for logs, and {@code --quick} for a short run
     */
    public static void main(String[] args) throws IOException, RunnerException {
        JmhRounds rounds = JmhRounds.ofSettings(args);
        Costs costs =
                rounds.run(Stream.of(ALONE, CONTENDED).flatMap(List::stream).toList());
        Report report = new Report("pipeline", rounds.settings());
        report.print(costs.table("successful call, one thread", ALONE));
        report.print(costs.table("the same on all cores, one pipeline", CONTENDED));
        report.figure("pipeline_vs_resilience4j", costs.ratio(STANDARD, costs.fastest(RESILIENCE4J)));
        report.figure(
                "pipeline_contended_vs_resilience4j",
                costs.ratio(
                        STANDARD.onAllCores(),
                        costs.fastest(
                                RESILIENCE4J.stream().map(Subject::onAllCores).toList())));
        report.figure("pipeline_vs_failsafe", costs.ratio(STANDARD, FAILSAFE));
        report.figure("pipeline_bytes", costs.of(STANDARD).bytes().median());
        report.end();
    }
}
