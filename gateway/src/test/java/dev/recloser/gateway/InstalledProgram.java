package dev.recloser.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A program that a test runs. Where it is not installed the test is skipped; with {@code RECLOSER_SERVERS=required} in the environment, as
 * in {@code .ci/run}, it fails.
 */
public final class InstalledProgram {

    private InstalledProgram() {}

    /**
     * Where a program is.
     *
     * @param packages in which it comes on Debian
     */
    public static String find(String name, String packages) {
        String found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse("");
        if (!"required".equals(System.getenv("RECLOSER_SERVERS"))) {
            assumeTrue(!found.isEmpty(), () -> name + " is not installed; on Debian: apt-get install " + packages);
        }
        assertThat(found)
                .as(name + " must be installed, since RECLOSER_SERVERS=required")
                .isNotEmpty();
        return found;
    }
}
