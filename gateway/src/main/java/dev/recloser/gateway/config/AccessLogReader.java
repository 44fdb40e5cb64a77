package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads where the access log goes: {@code stdout}, or a file that can be written. */
final class AccessLogReader {

    private static final String STDOUT = "stdout";
    private static final String FILE = "file";
    private static final String EXAMPLE = "/var/log/recloser/access.log";

    private static final Keys KEYS =
            Keys.NONE.required(FILE, Shape.text().example(EXAMPLE), "the file to whose end lines are added");

    static final Shape SHAPE = Shape.either(Shape.oneOf(Set.of(STDOUT)), Shape.mapping(KEYS));

    private final Findings findings;
    private final Scalars scalars;

    AccessLogReader(Findings findings) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
    }

    Optional<AccessLogConfig> read(Entry entry) {
        if (entry.value() instanceof ScalarNode scalar) {
            return word(entry, scalar.getValue());
        }
        return Section.of(entry.key(), entry.keyNode(), entry.value(), findings)
                .flatMap(section -> section.allow(KEYS).required(FILE, EXAMPLE))
                .flatMap(this::file);
    }

    private Optional<AccessLogConfig> word(Entry entry, String word) {
        if (word.equals(STDOUT)) {
            return Optional.of(new AccessLogConfig(Optional.empty()));
        }
        findings.error(
                entry.value(),
                entry.key() + " is '" + word + "'; write stdout, or for a file " + entry.key() + ": { file: " + EXAMPLE
                        + " }");
        return Optional.empty();
    }

    private Optional<AccessLogConfig> file(Entry entry) {
        return scalars.text(entry)
                .flatMap(text -> path(text, entry.value()))
                .map(path -> new AccessLogConfig(Optional.of(path)));
    }

    private Optional<Path> path(String text, Node at) {
        Optional<String> problem;
        try {
            problem = text.isBlank() ? Optional.of("is no path") : problem(Path.of(text));
        } catch (InvalidPathException e) {
            problem = Optional.of("is no path");
        }
        if (problem.isPresent()) {
            findings.error(at, "file '" + text + "' " + problem.get() + "; name a file that can be written");
            return Optional.empty();
        }
        return Optional.of(Path.of(text));
    }

    /** What would make it fail to be opened, as far as can be told without opening it. */
    private static Optional<String> problem(Path path) {
        Path file = path.toAbsolutePath();
        Path folder = file.getParent();
        if (Files.isDirectory(file)) {
            return Optional.of("is a folder");
        } else if (Files.exists(file)) {
            return Files.isWritable(file) ? Optional.empty() : Optional.of("may not be written");
        } else if (folder == null || !Files.isDirectory(folder)) {
            return Optional.of("is in a folder that is not there");
        }
        return Files.isWritable(folder) ? Optional.empty() : Optional.of("is in a folder that may not be written");
    }
}
