package dev.recloser;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;

/** Settings that cannot work. Names every one of them, so that they can be mended in one go. */
public final class SettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // a copy made by List.copyOf is serializable
    private final List<Problem> problems;

    /**
     * One setting that is wrong.
     *
     * @param setting where it stands, such as {@code payments.circuitBreaker.failureRatio}
     * @param value the value it has
     * @param allowed what would be right
     */
    public record Problem(String setting, String value, String allowed) implements Serializable {

        @Override
        public String toString() {
            return setting + " is " + value + ", must be " + allowed;
        }
    }

    /**
     * Made by builders.
     *
     * @param problems everything that is wrong; at least one
     */
    public SettingsException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** Everything that is wrong, in the order in which the settings are documented. */
    public List<Problem> problems() {
        return problems;
    }
}
