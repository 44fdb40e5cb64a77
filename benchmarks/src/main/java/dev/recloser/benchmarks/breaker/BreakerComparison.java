package dev.recloser.benchmarks.breaker;

import dev.recloser.benchmarks.Costs;
import dev.recloser.benchmarks.JmhRounds;
import dev.recloser.benchmarks.JmhRounds.Subject;
import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.breaker.Resilience4jBreaker.Window;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/** {@code benchmarks/run breaker}. */
public final class BreakerComparison {

    private static final Subject CLOCK = Subject.of("nanoTime", Limits.class, "clock");
    private static final Subject LIMIT = Subject.of("limit: nanoTime + LongAdder", Limits.class, "clockAndCount");
    private static final Subject CALL = Subject.of("Recloser call", RecloserBreaker.class, "call");
    private static final Subject TICKET = Subject.of("Recloser ticket", RecloserBreaker.class, "ticket");
    private static final Subject COUNT =
            Subject.of("Recloser call, count of the last", RecloserBreaker.class, "countCall");
    private static final Subject CONSECUTIVE =
            Subject.of("Recloser call, consecutive", RecloserBreaker.class, "consecutiveCall");
    private static final Subject TIMED =
            Subject.of("Recloser call, slow calls too", RecloserBreaker.class, "timedCall");
    private static final Subject FAILSAFE = Subject.of("Failsafe", FailsafeBreaker.class, "call");
    private static final List<Subject> RESILIENCE4J =
            Arrays.stream(Window.values()).map(BreakerComparison::resilience4j).toList();

    private static final Subject REJECTED_CALL =
            Subject.of("Recloser call, exception caught", RecloserBreaker.class, "rejectedCall");
    private static final List<Subject> REJECTED = List.of(
            CLOCK,
            REJECTED_CALL,
            Subject.of("Recloser ticket refused", RecloserBreaker.class, "rejectedTicket"),
            rejectedByResilience4j("Resilience4j, no stack trace", "rejected"),
            rejectedByResilience4j("Resilience4j", "rejectedWithStackTrace"),
            Subject.of("Failsafe", FailsafeBreaker.class, "rejected"));

    private static final List<Subject> CLOSED = Stream.concat(
                    Stream.of(LIMIT, CALL, TICKET, COUNT, CONSECUTIVE, TIMED, FAILSAFE), RESILIENCE4J.stream())
            .toList();
    private static final List<Subject> CONTENDED =
            CLOSED.stream().map(Subject::onAllCores).toList();

    private BreakerComparison() {}

    private static Subject resilience4j(Window window) {
        String name = window.name()
                .toLowerCase(Locale.ROOT)
                .replaceFirst("_", " window, ")
                .replace('_', ' ');
        return Subject.of("Resilience4j, " + name, Resilience4jBreaker.class, "call")
                .with("window", window.name());
    }

    private static Subject rejectedByResilience4j(String name, String method) {
        return Subject.of(name, Resilience4jBreaker.class, method).with("window", Window.COUNT_LOCK_FREE.name());
    }

    /**
     * Runs the comparison.
     *
     * @param args a folder for logs, and {@code --quick} for a short run
     */
    public static void main(String[] args) throws IOException, RunnerException {
        JmhRounds rounds = JmhRounds.ofSettings(args);
        Costs costs = rounds.run(
                Stream.of(CLOSED, CONTENDED, REJECTED).flatMap(List::stream).toList());
        print(costs, new Report("breaker", rounds.settings()));
    }

    private static void print(Costs costs, Report report) {
        report.print(costs.table("closed, successful call, one thread", CLOSED));
        report.print(costs.table("the same on all cores, one breaker", CONTENDED));
        report.print(costs.table("rejected by an open breaker, one thread", REJECTED));
        report.figure("closed_vs_limit", costs.ratio(CALL, LIMIT));
        report.figure("closed_bytes", costs.of(CALL).bytes().median());
        report.figure("contended_vs_single", costs.ratio(CALL.onAllCores(), CALL));
        report.figure("rejected_vs_nanotime", costs.ratio(REJECTED_CALL, CLOCK));
        report.figure("closed_vs_resilience4j", costs.ratio(CALL, costs.fastest(RESILIENCE4J)));
        report.figure(
                "contended_vs_resilience4j",
                costs.ratio(
                        CALL.onAllCores(),
                        costs.fastest(
                                RESILIENCE4J.stream().map(Subject::onAllCores).toList())));
        report.end();
    }
}
