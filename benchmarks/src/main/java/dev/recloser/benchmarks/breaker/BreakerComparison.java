package dev.recloser.benchmarks.breaker;

import dev.recloser.benchmarks.JmhRounds;
import dev.recloser.benchmarks.JmhRounds.Cost;
import dev.recloser.benchmarks.JmhRounds.Subject;
import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Setting;
import dev.recloser.benchmarks.Table;
import dev.recloser.benchmarks.breaker.Resilience4jBreaker.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    private final Map<Subject, Cost> costs;
    private final Report report;

    private BreakerComparison(Map<Subject, Cost> costs, Report report) {
        this.costs = costs;
        this.report = report;
    }

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
        boolean quick = Setting.isQuick(args);
        JmhRounds rounds = new JmhRounds(
                Setting.number("BENCH_ROUNDS", quick ? 3 : 7),
                Setting.number("BENCH_ITERATIONS", quick ? 3 : 5),
                Setting.number("BENCH_MILLIS", quick ? 300 : 500),
                Files.createDirectories(Path.of(args[0])));
        List<Subject> subjects =
                Stream.of(CLOSED, CONTENDED, REJECTED).flatMap(List::stream).toList();
        Map<Subject, Cost> costs = rounds.run(subjects);
        new BreakerComparison(costs, new Report("breaker", rounds.settings())).print();
    }

    private void print() {
        report.print(table("closed, successful call, one thread", CLOSED));
        report.print(table("the same on all cores, one breaker", CONTENDED));
        report.print(table("rejected by an open breaker, one thread", REJECTED));
        report.figure("closed_vs_limit", ratio(CALL, LIMIT));
        report.figure("closed_bytes", cost(CALL).bytes().median());
        report.figure("contended_vs_single", ratio(CALL.onAllCores(), CALL));
        report.figure("rejected_vs_nanotime", ratio(REJECTED_CALL, CLOCK));
        report.figure("closed_vs_resilience4j", ratio(CALL, fastest(RESILIENCE4J)));
        report.figure(
                "contended_vs_resilience4j",
                ratio(
                        CALL.onAllCores(),
                        fastest(RESILIENCE4J.stream().map(Subject::onAllCores).toList())));
        report.end();
    }

    private Table table(String title, List<Subject> subjects) {
        Table table = new Table(title, "ns/call", "lowest", "highest", "B/call");
        for (Subject subject : subjects) {
            Cost cost = cost(subject);
            table.row(
                    "  " + subject.name(),
                    Table.number(cost.nanos().median(), 1),
                    Table.number(cost.nanos().min(), 1),
                    Table.number(cost.nanos().max(), 1),
                    Table.number(cost.bytes().median(), 1));
        }
        return table;
    }

    private Cost cost(Subject subject) {
        Cost cost = costs.get(subject);
        if (cost == null) {
            throw new IllegalArgumentException("not measured: " + subject);
        }
        return cost;
    }

    private double ratio(Subject subject, Subject other) {
        return cost(subject).nanos().over(cost(other).nanos());
    }

    private Subject fastest(List<Subject> subjects) {
        return subjects.stream()
                .min(Comparator.comparingDouble(subject -> cost(subject).nanos().median()))
                .orElseThrow();
    }
}
