package dev.recloser.gateway.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** Writes log records as {@code 2026-01-31T12:00:00.000Z WARN  message}. */
final class StandardErrorHandler extends Handler {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    StandardErrorHandler() {
        setFormatter(new OneLine());
    }

    @Override
    public void publish(LogRecord entry) {
        if (isLoggable(entry)) {
            System.err.print(getFormatter().format(entry));
        }
    }

    @Override
    public void flush() {
        System.err.flush();
    }

    @Override
    public void close() {}

    private static final class OneLine extends Formatter {

        @Override
        public String format(LogRecord entry) {
            String line = TIME.format(entry.getInstant()) + " " + name(entry.getLevel()) + " " + formatMessage(entry)
                    + System.lineSeparator();
            return entry.getThrown() == null ? line : line + trace(entry.getThrown());
        }

        private static String name(Level level) {
            if (level.intValue() >= Level.SEVERE.intValue()) {
                return "ERROR";
            } else if (level.intValue() >= Level.WARNING.intValue()) {
                return "WARN ";
            }
            return level.intValue() >= Level.INFO.intValue() ? "INFO " : "DEBUG";
        }

        private static String trace(Throwable thrown) {
            StringWriter text = new StringWriter();
            thrown.printStackTrace(new PrintWriter(text));
            return text.toString();
        }
    }
}
