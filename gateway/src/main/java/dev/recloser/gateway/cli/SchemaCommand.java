package dev.recloser.gateway.cli;

import dev.recloser.gateway.config.ConfigSchema;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the schema of the configuration. */
@Command(
        name = "schema",
        description = "Print a JSON Schema of the configuration, by which editors complete and check it.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class SchemaCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    SchemaCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(ConfigSchema.text());
        out.flush();
        return ExitCode.OK;
    }
}
