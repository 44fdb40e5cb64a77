package dev.recloser.benchmarks.telemetry;

import dev.recloser.benchmarks.Costs;
import dev.recloser.benchmarks.JmhRounds;
import dev.recloser.benchmarks.JmhRounds.Subject;
import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.telemetry.MicrometerListener.Registry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/** {@code benchmarks/run telemetry}. */
public final class TelemetryComparison {

    private static final Subject UNWATCHED = subject("no listener", "call", Registry.NONE);
    private static final Subject SIMPLE = subject("Micrometer, simple registry", "call", Registry.SIMPLE);
    private static final Subject PROMETHEUS = subject("Micrometer, Prometheus registry", "call", Registry.PROMETHEUS);
    private static final List<Subject> ALONE = List.of(UNWATCHED, SIMPLE, PROMETHEUS);
    private static final List<Subject> CONTENDED =
            ALONE.stream().map(Subject::onAllCores).toList();
    private static final Subject SIMPLE_TIMERS = subject("simple registry", "timers", Registry.SIMPLE);
    private static final Subject PROMETHEUS_TIMERS = subject("Prometheus registry", "timers", Registry.PROMETHEUS);
    private static final List<Subject> TIMERS = List.of(SIMPLE_TIMERS, PROMETHEUS_TIMERS);

    private TelemetryComparison() {}

    private static Subject subject(String name, String method, Registry registry) {
        return new Subject(
                name, MicrometerListener.class.getName() + "." + method, Map.of("registry", registry.name()), 1);
    }

    /**
     * Runs the comparison.
     *
     * @param args a folder for logs, and {@code --quick} for a short run
     */
    public static void main(String[] args) throws IOException, RunnerException {
        JmhRounds rounds = JmhRounds.ofSettings(args);
        Costs costs = rounds.run(
                Stream.of(ALONE, CONTENDED, TIMERS).flatMap(List::stream).toList());
        Report report = new Report("telemetry", rounds.settings());
        report.print(costs.table("successful call, standard pipeline, one thread", ALONE));
        report.print(costs.table("the same on all cores, one pipeline", CONTENDED));
        report.print(costs.table("the clock and two timers alone, one thread", TIMERS));
        report.figure("no_listener_ns", costs.of(UNWATCHED).nanos().median());
        report.figure("micrometer_listener_ns", added(costs, SIMPLE));
        report.figure("micrometer_prometheus_listener_ns", added(costs, PROMETHEUS));
        report.figure("micrometer_listener_bytes", addedBytes(costs, SIMPLE));
        report.figure("micrometer_prometheus_listener_bytes", addedBytes(costs, PROMETHEUS));
        report.end();
    }

    private static double added(Costs costs, Subject watched) {
        return costs.of(watched).nanos().minus(costs.of(UNWATCHED).nanos()).median();
    }

    private static double addedBytes(Costs costs, Subject watched) {
        return costs.of(watched).bytes().minus(costs.of(UNWATCHED).bytes()).median();
    }
}
