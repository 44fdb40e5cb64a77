package dev.recloser.gateway.cli;

import dev.recloser.gateway.config.CheckedConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says everything that is wrong or unwise in a configuration. */
@Command(
        name = "check",
        description = "Say everything that is wrong or unwise in a configuration.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class CheckCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "CONFIG", description = "The configuration, a YAML file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path config;

    CheckCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        CheckedConfig checked = ConfigReader.read(config);
        checked.findings().forEach(out::println);
        out.println(config + ": " + summary(checked));
        return checked.config().isPresent() ? ExitCode.OK : ExitCode.USAGE;
    }

    private static String summary(CheckedConfig checked) {
        int errors = checked.errors().size();
        int warnings = checked.warnings().size();
        String found = warnings == 0 ? "" : count(warnings, "warning");
        if (errors > 0) {
            return count(errors, "error") + (found.isEmpty() ? "" : ", " + found);
        }
        return "good" + (found.isEmpty() ? "" : ", with " + found)
                + checked.config().map(CheckCommand::contents).orElse("");
    }

    private static String contents(GatewayConfig config) {
        return " (" + count(config.routes().size(), "route") + ", "
                + count(config.clusters().size(), "cluster") + ")";
    }

    private static String count(int number, String of) {
        return number + " " + of + (number == 1 ? "" : "s");
    }
}
