package dev.recloser.gateway.cli;

import dev.recloser.gateway.config.CheckedConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the gateway until the process is told to end. */
@Command(
        name = "gateway",
        description =
                "Run the gateway. SIGTERM or Ctrl-C ends it, once the requests under way are done. When CONFIG changes, and on SIGHUP,"
                        + " it serves by what the file says then.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class GatewayCommand implements Callable<Integer> {

    private static final System.Logger LOG = System.getLogger("dev.recloser.gateway");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "CONFIG", description = "The configuration, a YAML file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path config;

    @Option(
            names = "--drain-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationOption.class,
            description = "How long requests may go on when the gateway is told to end; ${DEFAULT-VALUE} by default.")
    private Duration drainTimeout = Duration.ofSeconds(30);

    @Option(
            names = "--drain-delay",
            paramLabel = "TIME",
            defaultValue = "0s",
            converter = DurationOption.class,
            description =
                    "How long it serves on before it drains, while /readyz already answers 503, so that load balancers can take it out;"
                            + " ${DEFAULT-VALUE} by default.")
    private Duration drainDelay = Duration.ZERO;

    GatewayCommand() {}

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        FileWatch watch = new FileWatch(config);
        CheckedConfig checked = ConfigReader.read(config);
        if (checked.config().isEmpty()) {
            checked.findings().forEach(err::println);
            return ExitCode.USAGE;
        }
        checked.warnings().forEach(warning -> LOG.log(Level.WARNING, warning::toString));
        return serve(checked.config().get(), watch, err);
    }

    private int serve(GatewayConfig valid, FileWatch watch, PrintWriter err) {
        PrintWriter out = spec.commandLine().getOut();
        try (StopSignal stop = StopSignal.install();
                RunningGateway running = RunningGateway.start(valid)) {
            try (Reloading reloading = Reloading.start(config, watch, valid.files(), running.gateway())) {
                reloading.onHangup();
                out.println("listening on " + running.url());
                running.adminUrl().ifPresent(url -> out.println("admin on " + url));
                out.flush();
                stop.await();
            }
            running.drain(drainDelay, drainTimeout);
            return ExitCode.OK;
        } catch (IOException e) {
            err.println("recloser: " + e.getMessage());
            return ExitCode.SOFTWARE;
        }
    }
}
