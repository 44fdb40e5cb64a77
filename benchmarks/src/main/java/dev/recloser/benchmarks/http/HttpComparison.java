package dev.recloser.benchmarks.http;

import static dev.recloser.benchmarks.Table.number;

import dev.recloser.benchmarks.Child;
import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Series;
import dev.recloser.benchmarks.Setting;
import dev.recloser.benchmarks.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** {@code benchmarks/run http}. */
public final class HttpComparison {

    private static final int DIGITS = 3;
    private static final double MICROS = 1000;

    /** How far its quartiles lie apart, in standard deviations. */
    private static final double QUARTILES_OF_NORMAL = 1.349;

    private final int rounds;
    private final int pairs;
    private final int warmUpRequests;
    private final int millis;
    private final Map<Load, List<Pair>> pairsOf = new EnumMap<>(Load.class);
    private final Map<Load, List<Cpu>> roundsOf = new EnumMap<>(Load.class);

    private HttpComparison(boolean quick) {
        rounds = Setting.number("BENCH_ROUNDS", quick ? 2 : 5);
        pairs = Setting.number("BENCH_ITERATIONS", quick ? 500 : 1000);
        warmUpRequests = Setting.number("BENCH_WARM_UP_REQUESTS", quick ? 50_000 : 100_000);
        millis = Setting.number("BENCH_MILLIS", 20);
    }

    /** The time per request of both, measured one right after the other. */
    private record Pair(double bare, double recloser) {}

    /** The CPU time per request of both, over one round: the system counts it too coarsely for a pair. */
    private static final class Cpu {
        private long bareRequests;
        private long bareNanos;
        private long recloserRequests;
        private long recloserNanos;

        double bare() {
            return (double) bareNanos / bareRequests;
        }

        double recloser() {
            return (double) recloserNanos / recloserRequests;
        }
    }

    /**
     * Runs the comparison.
     *
     * @param args {@code --quick} for a short run
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        new HttpComparison(Setting.isQuick(args)).run();
    }

    private void run() throws IOException, InterruptedException {
        try (Child server = Child.start(java(KeepAliveServer.class))) {
            String port = lines(server).readLine();
            if (port == null) {
                throw new IOException("the server did not start");
            }
            for (int round = 1; round <= rounds; round++) {
                Report.progress("round " + round + " of " + rounds);
                measure(port);
            }
        }
        report();
    }

    /** One JVM, in which both are compiled anew. */
    private void measure(String port) throws IOException, InterruptedException {
        for (Load load : Load.values()) {
            roundsOf.computeIfAbsent(load, key -> new ArrayList<>()).add(new Cpu());
        }
        List<String> numbers = List.of(port, "" + millis, "" + warmUpRequests, "" + pairs);
        ProcessBuilder contest = java(Contest.class);
        contest.command().addAll(numbers);
        try (Child child = Child.start(contest)) {
            BufferedReader lines = lines(child);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                add(line.split(" ", -1));
            }
            int exit = child.process().waitFor();
            if (exit != 0) {
                throw new IOException("a round failed, with exit code " + exit);
            }
        }
    }

    private void add(String[] words) {
        Load load = Load.valueOf(words[0]);
        List<Cpu> rounds = rounds(load);
        Cpu cpu = rounds.get(rounds.size() - 1);
        cpu.bareRequests += Long.parseLong(words[3]);
        cpu.bareNanos += Long.parseLong(words[4]);
        cpu.recloserRequests += Long.parseLong(words[5]);
        cpu.recloserNanos += Long.parseLong(words[6]);
        Pair pair = new Pair(Double.parseDouble(words[1]), Double.parseDouble(words[2]));
        pairsOf.computeIfAbsent(load, key -> new ArrayList<>()).add(pair);
    }

    private static ProcessBuilder java(Class<?> main) {
        String java = ProcessHandle.current().info().command().orElse("java");
        List<String> command = List.of(
                java,
                "-Xms256m",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName());
        return new ProcessBuilder(new ArrayList<>(command)).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static BufferedReader lines(Child child) {
        return new BufferedReader(new InputStreamReader(child.process().getInputStream(), StandardCharsets.US_ASCII));
    }

    private void report() {
        Report report = new Report("http", settings());
        Table table = new Table(
                "GET of 100 B, kept connection",
                "bare us",
                "Recloser us",
                "ratio",
                "+-",
                "25 %",
                "75 %",
                "CPU bare us",
                "CPU Recloser us",
                "CPU ratio");
        pairsOf.keySet().forEach(load -> row(table, load));
        report.print(table);
        report.figure("http_cpu_vs_bare", cpuRatio(Load.ONE_THREAD), DIGITS);
        report.figure("http_async_vs_bare", ratios(Load.ASYNC).median(), DIGITS);
        report.figure("http_cores_vs_bare", ratios(Load.ALL_CORES).median(), DIGITS);
        report.figure("http_vs_bare", ratios(Load.ONE_THREAD).median(), DIGITS);
        report.end();
    }

    private String settings() {
        return Runtime.getRuntime().availableProcessors() + " cores, " + rounds + " JVMs, each " + pairs
                + " pairs of slices of " + millis + " ms for each load";
    }

    private void row(Table table, Load load) {
        Series ratios = ratios(load);
        table.row(
                "  " + load,
                number(bare(load).median() / MICROS, 1),
                number(recloser(load).median() / MICROS, 1),
                number(ratios.median(), DIGITS),
                number(deviation(ratios), DIGITS),
                number(ratios.quantile(0.25), DIGITS),
                number(ratios.quantile(0.75), DIGITS),
                number(cpu(load, Cpu::bare).median() / MICROS, 1),
                number(cpu(load, Cpu::recloser).median() / MICROS, 1),
                number(cpuRatio(load), DIGITS));
    }

    /** The standard deviation of a median, were the pairs spread normally. */
    private static double deviation(Series ratios) {
        double deviation = (ratios.quantile(0.75) - ratios.quantile(0.25)) / QUARTILES_OF_NORMAL;
        return Math.sqrt(Math.PI / 2) * deviation / Math.sqrt(ratios.values().size());
    }

    private double cpuRatio(Load load) {
        return cpu(load, Cpu::recloser).over(cpu(load, Cpu::bare));
    }

    private Series cpu(Load load, ToDoubleFunction<Cpu> nanosPerRequest) {
        return new Series(rounds(load).stream()
                .map(cpu -> nanosPerRequest.applyAsDouble(cpu))
                .toList());
    }

    private List<Cpu> rounds(Load load) {
        return roundsOf.getOrDefault(load, List.of());
    }

    private Series ratios(Load load) {
        return recloser(load).ratios(bare(load));
    }

    private Series bare(Load load) {
        return new Series(pairs(load).stream().map(Pair::bare).toList());
    }

    private Series recloser(Load load) {
        return new Series(pairs(load).stream().map(Pair::recloser).toList());
    }

    private List<Pair> pairs(Load load) {
        return pairsOf.getOrDefault(load, List.of());
    }
}
