package dev.recloser.gateway.cli;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** A command line that somebody wrote down, as the program understands it. */
public final class ParsedCommand {

    private final ParseResult command;

    private ParsedCommand(ParseResult command) {
        this.command = command;
    }

    /** Fails if it is a wrong use. */
    public static ParsedCommand of(List<String> arguments) {
        ParseResult main = new CommandLine(new Main()).parseArgs(arguments.toArray(String[]::new));
        return new ParsedCommand(main.subcommand());
    }

    /** Which command it is. */
    public String name() {
        return command.commandSpec().name();
    }

    /** The value of an option that is a duration, be it written or the one that holds by default. */
    public Duration duration(String option) {
        return command.commandSpec().findOption(option).getValue();
    }

    /** What is no option. */
    public List<String> parameters() {
        return command.matchedPositionals().stream()
                .flatMap(parameter -> parameter.originalStringValues().stream())
                .toList();
    }
}
