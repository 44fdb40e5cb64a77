package dev.recloser.gateway.config;

/**
 * Something to say about a configuration file: what is wrong, and what would be right.
 *
 * @param severity whether a gateway can start with it
 * @param file the file, as it was named
 * @param line from 1; 0 when it is about the file as a whole
 * @param column from 1, in characters; 0 when it is about the file as a whole
 * @param message what is wrong; what would be right
 */
public record Finding(Severity severity, String file, int line, int column, String message) {

    /** Whether a gateway can start with it. */
    public enum Severity {
        /** Wrong: nothing starts. */
        ERROR,
        /** Unwise: it works, but hardly as it was meant. */
        WARNING
    }

    /** {@code FILE:LINE:COLUMN: MESSAGE}, as editors and terminals understand it. */
    @Override
    public String toString() {
        String where = line == 0 ? file : file + ":" + line + ":" + column;
        return where + ": " + (severity == Severity.WARNING ? "warning: " : "") + message;
    }
}
