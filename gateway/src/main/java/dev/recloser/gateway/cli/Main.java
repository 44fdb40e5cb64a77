package dev.recloser.gateway.cli;

import dev.recloser.gateway.proxy.BadPropertyException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line {@code recloser}. Exit codes: 0 success, 1 failure, 2 wrong usage or configuration. */
@Command(
        name = "recloser",
        description = "An HTTP gateway with a circuit breaker in front of every service.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {GatewayCommand.class, CheckCommand.class, SchemaCommand.class, DemoCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:failure", "2:wrong usage or configuration"})
public final class Main implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    Main() {}

    /** Runs the command line, and ends the process. */
    public static void main(String[] args) {
        Logging.setUp();
        // A client of TLS 1.2 could have keys made again and again on one connection.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        // Of each so many buffers Netty watches one for being lost. Its own choice, 128, costs 2 % of the CPU time of a
        // request.
        System.getProperties().putIfAbsent("io.netty.leakDetection.samplingInterval", "8192");
        System.exit(run(writer(System.out), writer(System.err), args));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    /** Runs the command line, and returns its exit code. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new Main())
                .setOut(out)
                .setErr(err)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (failure instanceof BadPropertyException) {
                        err.println("recloser: " + failure.getMessage());
                        return ExitCode.USAGE;
                    }
                    Logging.failure(failure);
                    return ExitCode.SOFTWARE;
                })
                .execute(args);
    }

    /** No command is a wrong use. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }
}
