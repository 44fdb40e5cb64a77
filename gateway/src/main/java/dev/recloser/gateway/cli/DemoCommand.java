package dev.recloser.gateway.cli;

import dev.recloser.gateway.demo.Demo;
import dev.recloser.gateway.demo.DemoOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Plays the demo. */
@Command(
        name = "demo",
        description = "Two small services, a gateway in front of them, and an incident to watch.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class DemoCommand implements Callable<Integer> {

    private static final int LAST_PORT = 65_535;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--once",
            description =
                    "End after the incident; exit code 0 if everything went as it should, else 1, also when stopped before.")
    private boolean once;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8080",
            description =
                    "The port of the gateway; 0 for any that is free. If taken, another one is used. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--admin-port",
            paramLabel = "N",
            defaultValue = "9090",
            description =
                    "The port of the admin server; 0 for any that is free. If taken, another one is used. Default: ${DEFAULT-VALUE}.")
    private int adminPort;

    DemoCommand() {}

    @Override
    public Integer call() {
        checkPort("--port", port);
        checkPort("--admin-port", adminPort);
        DemoOptions options = DemoOptions.defaults().withPorts(port, adminPort).withColours(Ansi.AUTO.enabled());
        try (StopSignal stop = StopSignal.interrupting(Thread.currentThread())) {
            return play(options, stop);
        }
    }

    private int play(DemoOptions options, StopSignal stop) {
        try (Demo demo = Demo.start(options, spec.commandLine().getOut())) {
            boolean good = demo.playIncident();
            if (once) {
                return good ? ExitCode.OK : ExitCode.SOFTWARE;
            }
            demo.invite();
            stop.await();
            return ExitCode.OK;
        } catch (InterruptedException e) {
            return interrupted(); // in the middle of the incident
        } catch (IOException e) {
            if (stop.isAsked()) {
                return interrupted(); // what was interrupted fails in its own way
            }
            spec.commandLine().getErr().println("recloser: " + e.getMessage());
            return ExitCode.SOFTWARE;
        }
    }

    /** Whoever wants to know whether the incident went as it should does not know it then. */
    private int interrupted() {
        return once ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    private void checkPort(String option, int value) {
        if (value < 0 || value > LAST_PORT) {
            throw new ParameterException(
                    spec.commandLine(), option + " is " + value + "; it must be from 0 to " + LAST_PORT);
        }
    }
}
