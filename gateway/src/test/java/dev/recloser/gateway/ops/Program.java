package dev.recloser.gateway.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.InstalledProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of Debian's package <code>prometheus</code>. */
final class Program {

    private static final int BOUND_SECONDS = 50;

    private Program() {}

    /** Where the program is. */
    static String installed(String name) {
        return InstalledProgram.find(name, "prometheus");
    }

    /**
     * How a run of promtool ended.
     *
     * @param exitCode 0 where it has nothing to find fault with
     * @param output what it said
     */
    record Verdict(int exitCode, String output) {}

    /**
     * Runs promtool.
     *
     * @param folder for its input and output
     * @param input what it reads from its standard input
     * @param arguments what to do
     */
    static Verdict promtool(Path folder, String input, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of(installed("promtool")), Stream.of(arguments))
                .toList();
        Path read = Files.writeString(folder.resolve("promtool.in"), input);
        Path written = folder.resolve("promtool.out");
        Process process = new ProcessBuilder(command)
                .redirectInput(read.toFile())
                .redirectErrorStream(true)
                .redirectOutput(written.toFile())
                .start();
        try {
            assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS))
                    .as(command + " has ended")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Verdict(process.exitValue(), Files.readString(written));
    }
}
