package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Child;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs wrk: as many requests as possible over a number of connections, each with one request at a time. */
final class Wrk {

    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
    private static final Pattern PER_SECOND = Pattern.compile("Requests/sec: +([0-9.]+)");
    private static final Pattern BAD = Pattern.compile("(Non-2xx or 3xx responses|Socket errors): .*");
    private static final int GRACE_SECONDS = 20;

    private Wrk() {}

    /**
     * Runs it. What is not answered with 2xx is an error, and the run worth nothing.
     *
     * @param more options of wrk
     */
    static Answered run(int port, String path, int connections, Duration duration, List<String> more)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + duration.toSeconds() + "s",
                "--timeout",
                GRACE_SECONDS + "s",
                "--latency"));
        command.addAll(more);
        command.add("http://127.0.0.1:" + port + path);
        try (Child wrk = Child.start(new ProcessBuilder(command).redirectErrorStream(true))) {
            if (!wrk.process().waitFor(duration.toSeconds() + GRACE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("wrk did not end");
            }
            return parse(new String(wrk.process().getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static Answered parse(String output) throws IOException {
        Matcher bad = BAD.matcher(output);
        if (bad.find()) {
            throw new IOException("not all requests were answered: " + bad.group());
        }
        return new Answered(
                Long.parseLong(find(REQUESTS, output).group(1)),
                Double.parseDouble(find(PER_SECOND, output).group(1)),
                percentile(50, output),
                percentile(99, output),
                0);
    }

    private static double percentile(int percent, String output) throws IOException {
        Matcher found = find(Pattern.compile(percent + "% +([0-9.]+)(us|ms|s)\\b"), output);
        double value = Double.parseDouble(found.group(1));
        return switch (found.group(2)) {
            case "us" -> value / 1000;
            case "ms" -> value;
            default -> value * 1000;
        };
    }

    private static Matcher find(Pattern pattern, String output) throws IOException {
        Matcher matcher = pattern.matcher(output);
        if (!matcher.find()) {
            throw new IOException("unexpected output of wrk:\n" + output);
        }
        return matcher;
    }
}
