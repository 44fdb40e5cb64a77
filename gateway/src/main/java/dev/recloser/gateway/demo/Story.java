package dev.recloser.gateway.demo;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.telemetry.TransitionText;
import dev.recloser.time.TimeSource;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Tells on the terminal what happens, as it happens. Thread-safe: what belongs together stays together. */
final class Story {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.S").withZone(ZoneId.systemDefault());
    private static final int BOLD = 1;
    private static final int RED = 31;
    private static final int GREEN = 32;
    private static final int YELLOW = 33;
    private static final int GREY = 90;
    private static final int SERVER_ERROR = 500;
    private static final int INDENT = 17;

    private final PrintWriter out;
    private final boolean colours;
    private int chapters;

    Story(PrintWriter out, boolean colours) {
        this.out = out;
        this.colours = colours;
    }

    /** Text between the events. */
    synchronized void say(String text) {
        text.lines().forEach(out::println);
        out.flush();
    }

    void chapter(String title) {
        chapters++;
        say("\n" + coloured(BOLD, chapters + ". " + title) + "\n\n");
    }

    /** What a caller got. */
    void answer(Caller.Answer answer, String note) {
        int colour =
                answer.status() < SERVER_ERROR ? GREEN : answer.retryAfter().isPresent() ? YELLOW : RED;
        String call = String.format(Locale.ROOT, "GET %-14s ", answer.path());
        event(answer.at(), call + coloured(colour, String.valueOf(answer.status())) + "  " + note);
    }

    /** What a circuit did, and why. */
    void transition(CircuitTransition transition) {
        boolean rejects = transition.to() == CircuitState.OPEN || transition.to() == CircuitState.ISOLATED;
        int colour = rejects ? RED : transition.to() == CircuitState.CLOSED ? GREEN : YELLOW;
        String states = transition.from() + " -> " + transition.to();
        event(
                transition.at(),
                coloured(colour, ">> " + transition.circuit() + " " + states) + "\n" + " ".repeat(INDENT)
                        + coloured(colour, TransitionText.why(transition)));
    }

    /** Anything else that happens. */
    void note(String text) {
        event(TimeSource.system().instant(), text);
    }

    private void event(Instant at, String text) {
        say("  " + coloured(GREY, TIME.format(at)) + "  " + text);
    }

    private String coloured(int colour, String text) {
        return colours ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
    }
}
