package dev.recloser.examples.http;

import dev.recloser.examples.http.FaultsChecks.Check;
import dev.recloser.examples.http.Timeline.Span;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A minute of load and faults, in real time: what becomes of calls to a service that is slow, answers some of them with 503, and is
 * down. Prints what happens, draws a picture of it, and checks that it is what it should be.
 */
public final class HttpFaults {

    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final Duration LINE = Duration.ofSeconds(1);

    private final PrintStream out;
    private Sample line = Totals.NONE;

    private HttpFaults(PrintStream out) {
        this.out = out;
    }

    /**
     * Plays the run, and ends the JVM with 0 if all was as it should be, 1 if not.
     *
     * @param arguments where to write the picture, and {@code --short} for a third of the time
     */
    public static void main(String[] arguments) throws InterruptedException {
        boolean shortened = arguments.length == 2 && arguments[1].equals("--short");
        if (arguments.length != 1 && !shortened) {
            System.err.println("usage: HttpFaults FILE.svg [--short]");
            System.exit(MISUSED);
        }
        try {
            boolean holds =
                    new HttpFaults(System.out).play(shortened ? Phase.shortened() : Phase.all(), Path.of(arguments[0]));
            System.exit(holds ? 0 : FAILED);
        } catch (IOException e) {
            System.err.println("http-faults: " + e);
            System.exit(FAILED);
        }
    }

    private boolean play(List<Phase> phases, Path picture) throws IOException, InterruptedException {
        long seconds =
                phases.stream().mapToLong(phase -> phase.length().toSeconds()).sum();
        say(
                "Calls to a service with faults, %d s in real time: at most %d at a time, %d ms per attempt, 2 retries, a"
                        + " circuit breaker.",
                seconds, FaultsRun.LIMIT, FaultsRun.ATTEMPT_TIMEOUT.toMillis());
        say("");
        say("second  phase           calls  answered  failed  by circuit  by limiter  attempts  reached  at a time"
                + "  circuit");
        Timeline timeline = FaultsRun.of(phases, this::progress);
        summarize(timeline);
        Path folder = picture.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(picture, FaultsPlot.of(timeline));
        say("");
        say("The picture of it is in %s", picture);
        return conclude(FaultsChecks.of(timeline));
    }

    /** A line for each second. */
    private void progress(Phase phase, Sample sample) {
        line = Totals.sum(line, sample);
        if (sample.toMillis() % LINE.toMillis() == 0) {
            numbers(
                    Long.toString(line.fromMillis() / 1000),
                    phase.name(),
                    line,
                    line.circuit().toString());
            line = Totals.NONE;
        }
    }

    private void summarize(Timeline timeline) {
        say("");
        say("phase by phase");
        for (Span span : timeline.spans()) {
            Sample sum =
                    timeline.within(span.fromMillis(), span.toMillis()).stream().reduce(Totals.NONE, Totals::sum);
            numbers(
                    span.fromMillis() / 1000 + "-" + span.toMillis() / 1000,
                    span.phase().name(),
                    sum,
                    "");
        }
    }

    private void numbers(String when, String phase, Sample numbers, String circuit) {
        say(
                "%-6s  %-14s  %5d  %8d  %6d  %10d  %10d  %8d  %7d  %9d  %s",
                when,
                phase,
                numbers.offered(),
                numbers.answered(),
                numbers.failed(),
                numbers.rejectedByCircuit(),
                numbers.rejectedByLimiter(),
                numbers.attempts(),
                numbers.reached(),
                numbers.mostInFlight(),
                circuit);
    }

    private boolean conclude(List<Check> checks) {
        say("");
        for (Check check : checks) {
            say("%-4s  %s (%s)", check.holds() ? "ok" : "NOT", check.what(), check.found());
        }
        long missed = checks.stream().filter(check -> !check.holds()).count();
        say("");
        if (missed == 0) {
            say("All %d checks hold.", checks.size());
        } else {
            say("%d of %d checks do not hold. Was the machine busy with something else?", missed, checks.size());
        }
        return missed == 0;
    }

    private void say(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values).stripTrailing());
    }
}
