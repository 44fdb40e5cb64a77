package dev.recloser.benchmarks;

import dev.recloser.benchmarks.Costs.Cost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs JMH benchmarks in rounds: in each, every subject has one JVM of its own, one after the other. So the subjects of a round
 * see much the same machine, and each is compiled anew as often as there are rounds.
 */
public final class JmhRounds {

    private static final String HEAP = "512m";
    private static final String BYTES_PER_CALL = "gc.alloc.rate.norm";

    private final int rounds;
    /** On two cores the compiler takes up to two seconds to be done with a pipeline. */
    private static final int WARM_UP = 2;

    private final int iterations;
    private final TimeValue iteration;
    private final Path logs;

    /**
     * Rounds of a given length.
     *
     * @param iterations that are measured in each JVM, after {@value #WARM_UP} times as many of warm-up
     * @param logs a folder for what JMH itself prints
     */
    private JmhRounds(int rounds, int iterations, int iterationMillis, Path logs) {
        this.rounds = rounds;
        this.iterations = iterations;
        this.iteration = TimeValue.milliseconds(iterationMillis);
        this.logs = logs;
    }

    /**
     * Rounds as the command line and the environment ask for them.
     *
     * @param args a folder for logs, and {@code --quick} for a short run
     */
    public static JmhRounds ofSettings(String[] args) throws IOException {
        boolean quick = Setting.isQuick(args);
        return new JmhRounds(
                Setting.number("BENCH_ROUNDS", quick ? 3 : 7),
                Setting.number("BENCH_ITERATIONS", quick ? 3 : 5),
                Setting.number("BENCH_MILLIS", quick ? 300 : 500),
                Files.createDirectories(Path.of(args[0])));
    }

    /** How it is measured, for the head of a report. */
    public String settings() {
        return cores() + " cores, " + rounds + " rounds, each " + WARM_UP * iterations + " + " + iterations
                + " iterations of " + iteration;
    }

    /** Measures all subjects, in the order given. */
    public Costs run(List<Subject> subjects) throws RunnerException {
        Map<Subject, List<RunResult>> results = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            Report.progress("round " + round + " of " + rounds);
            for (Subject subject : subjects) {
                results.computeIfAbsent(subject, key -> new ArrayList<>()).add(run(subject, round));
            }
        }
        Map<Subject, Cost> costs = new LinkedHashMap<>();
        results.forEach((subject, ofRounds) -> costs.put(subject, cost(ofRounds)));
        return new Costs(costs);
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    private RunResult run(Subject subject, int round) throws RunnerException {
        String log = round + "-" + subject.name().replaceAll("[^A-Za-z0-9]+", "-") + "-" + subject.threads() + ".log";
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + subject.benchmark().replace(".", "\\.") + "$")
                .threads(subject.threads())
                .forks(1)
                .warmupIterations(WARM_UP * iterations)
                .warmupTime(iteration)
                .measurementIterations(iterations)
                .measurementTime(iteration)
                .timeout(TimeValue.minutes(1))
                .jvmArgs("-Xms" + HEAP, "-Xmx" + HEAP)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .output(logs.resolve(log).toString());
        subject.parameters().forEach(options::param);
        return new Runner(options.build()).runSingle();
    }

    private static Cost cost(List<RunResult> rounds) {
        return new Cost(
                new Series(rounds.stream()
                        .map(round -> round.getPrimaryResult().getScore())
                        .toList()),
                new Series(rounds.stream().map(JmhRounds::bytesPerCall).toList()));
    }

    private static double bytesPerCall(RunResult round) {
        Result<?> bytes = round.getSecondaryResults().get(BYTES_PER_CALL);
        if (bytes == null) {
            throw new IllegalStateException("JMH did not measure " + BYTES_PER_CALL + " but "
                    + round.getSecondaryResults().keySet());
        }
        return bytes.getScore();
    }

    /**
     * What is measured.
     *
     * @param name what it is called in the table
     * @param benchmark the name of its class and method
     * @param parameters values of the benchmark's parameters
     * @param threads how many threads call at the same time
     */
    public record Subject(String name, String benchmark, Map<String, String> parameters, int threads) {

        /** A method of a class with benchmarks, without parameters, on one thread. */
        public static Subject of(String name, Class<?> type, String method) {
            return new Subject(name, type.getName() + "." + method, Map.of(), 1);
        }

        /** The same with a parameter. */
        public Subject with(String parameter, String value) {
            return new Subject(name, benchmark, Map.of(parameter, value), threads);
        }

        /** The same on all cores, all threads on one object. */
        public Subject onAllCores() {
            return new Subject(name, benchmark, parameters, cores());
        }
    }
}
