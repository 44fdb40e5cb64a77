package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Child;
import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Series;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** How long servers take from the start of their process until they say that they serve. */
final class Start {

    private Start() {}

    /**
     * Starts and ends a server, again and again.
     *
     * @param ready what the line has in it that says so
     */
    static Series millis(String name, List<String> command, String ready, int times)
            throws IOException, InterruptedException {
        List<Double> millis = new ArrayList<>();
        for (int i = 1; i <= times; i++) {
            Report.progress("starting " + name + ", " + i + " of " + times);
            millis.add(once(name, command, ready));
        }
        return new Series(millis);
    }

    private static double once(String name, List<String> command, String ready) throws IOException {
        long begin = System.nanoTime();
        try (Child child = Child.start(new ProcessBuilder(command).redirectErrorStream(true));
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(child.process().getInputStream(), StandardCharsets.UTF_8))) {
            List<String> output = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains(ready)) {
                    return (System.nanoTime() - begin) / 1e6;
                }
                output.add(line);
            }
            throw new IOException(name + " did not start:\n" + String.join("\n", output));
        }
    }
}
