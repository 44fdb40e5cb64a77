package dev.recloser.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.ConfigSchema;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line says, and with which exit code it ends. */
@Timeout(60)
class MainTest {

    private static final String GOOD = """
            listen: 127.0.0.1:0
            admin: 127.0.0.1:0
            routes: [ { match: { path: /** }, cluster: a } ]
            clusters: { a: { destinations: [ "http://127.0.0.1:9101" ] } }
            """;

    /** A label so long that no resolver asks anybody for it. */
    private static final String NO_NAME = "x".repeat(64) + ".invalid";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void checkOfAGoodConfigurationSaysSo() throws IOException {
        Path file = file(GOOD);
        assertThat(run("check", file.toString())).isZero();
        assertThat(out).hasToString(file + ": good (1 route, 1 cluster)\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void checkOfAnUnwiseConfigurationSaysWhatIsUnwise() throws IOException {
        Path file = file(GOOD.replace("] }", "], timeout: 10s }"));
        assertThat(run("check", file.toString())).isZero();
        assertThat(out.toString())
                .contains(file + ":4:70: warning: sampling-duration 10s is shorter than twice the timeout")
                .endsWith(file + ": good, with 1 warning (1 route, 1 cluster)\n");
    }

    @Test
    void checkOfAWrongConfigurationSaysAllThatIsWrong() throws IOException {
        Path file = file(GOOD.replace("cluster: a", "cluster: b").replace("listen", "lisen"));
        assertThat(run("check", file.toString())).isEqualTo(2);
        assertThat(out.toString().lines())
                .containsExactly(
                        file + ":1:1: unknown key 'lisen' in the configuration; did you mean 'listen'?",
                        file + ":3:44: there is no cluster 'b'; did you mean 'a'?",
                        file + ": 2 errors");
    }

    @Test
    void gatewayDoesNotStartWithAWrongConfiguration() throws IOException {
        Path file = file(GOOD.replace("127.0.0.1:0", "8080"));
        assertThat(run("gateway", file.toString())).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).startsWith(file.toString()).contains("which is no address"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway", "check"})
    void missingFileIsAWrongConfiguration(String command) {
        Path missing = folder.resolve("none.yaml");
        assertThat(run(command, missing.toString())).isEqualTo(2);
        assertThat(out + "" + err).contains(missing + ": there is no such file; give the path of a YAML file\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"listen", "admin"})
    void portInUseIsAFailureThatIsSaidInOneLine(String which) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Path file = file(GOOD.replace(which + ": 127.0.0.1:0", which + ": " + address));
            assertThat(run("gateway", file.toString())).isEqualTo(1);
            assertThat(err.toString().lines())
                    .hasSize(1)
                    .first()
                    .isEqualTo("recloser: cannot listen on " + address + ": Address already in use");
            assertThat(out.toString()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\nlisten", "{ listen"})
    void hostThatIsUnknownIsAFailureThatIsSaidInOneLine(String at) throws IOException {
        Path file = file(("\n" + GOOD)
                .replace("admin: 127.0.0.1:0", "admin: { listen: 127.0.0.1:0, token: 0123456789abcdef }")
                .replace(at + ": 127.0.0.1:0", at + ": " + NO_NAME + ":0"));
        assertThat(run("gateway", file.toString())).isEqualTo(1);
        assertThat(err).hasToString("recloser: cannot listen on " + NO_NAME + ":0: there is no host " + NO_NAME + "\n");
    }

    @Test
    void gatewaySaysWhereItListensAndEndsWithZeroWhenItIsStopped() throws Exception {
        Path file = file(GOOD);
        int[] code = {-1};
        Thread running = new Thread(() -> code[0] = run("gateway", file.toString()));
        running.start();
        while (!out.toString().contains("admin on http://127.0.0.1:")) {
            Thread.sleep(20);
        }
        assertThat(out.toString())
                .matches("listening on http://127\\.0\\.0\\.1:\\d+\nadmin on http://127\\.0\\.0\\.1:\\d+\n");
        running.interrupt();
        running.join();
        assertThat(code[0]).isZero();
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "gatewey",
                "gateway",
                "check",
                "--unknown",
                "check a b",
                "gateway --drain-timeout=soon x",
                "gateway --drain-timeout=-1s x",
                "gateway --drain-delay=5 x",
                "demo --port=x",
                "demo --port=70000"
            })
    void wrongUsageIsSaidWithTheUsage(String arguments) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ")))
                .isEqualTo(2);
        assertThat(err.toString()).isNotEmpty().doesNotContain("Exception").doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            recloser.transport | bogus  | epoll, io_uring or nio
            recloser.loops     | -1     | a whole number from 1 to 9999
            recloser.loops     | 0      | a whole number from 1 to 9999
            recloser.loops     | many   | a whole number from 1 to 9999
            """)
    void wrongSystemPropertyIsSaidInOneLine(String property, String value, String allowed) throws IOException {
        Path file = file(GOOD);
        System.setProperty(property, value);
        try {
            assertThat(run("gateway", file.toString())).isEqualTo(2);
        } finally {
            System.clearProperty(property);
        }
        assertThat(err)
                .hasToString("recloser: the system property " + property + " is '" + value + "'; it must be " + allowed
                        + "\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void theSchemaIsPrinted() {
        assertThat(run("schema")).isZero();
        assertThat(out.toString()).isEqualTo(ConfigSchema.text());
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpAndVersionAreNoFailures() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Usage: recloser", "gateway", "check", "schema", "demo", "Exit codes:");
        assertThat(run("gateway", "--help")).isZero();
        assertThat(out.toString()).contains("--drain-timeout=TIME", "--drain-delay=TIME");
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).contains("recloser ", ", Java ");
        assertThat(err.toString()).isEmpty();
    }

    private int run(String... arguments) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private Path file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("gateway.yaml"), yaml);
    }
}
