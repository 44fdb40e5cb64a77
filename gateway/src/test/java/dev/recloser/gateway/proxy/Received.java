package dev.recloser.gateway.proxy;

import java.util.List;
import java.util.Locale;

/** The head of a message as it was received, one byte per character, and what is known of its body. */
record Received(String head, String body) {

    String startLine() {
        return head.substring(0, head.indexOf("\r\n"));
    }

    int status() {
        return Integer.parseInt(startLine().split(" ", 3)[1]);
    }

    String method() {
        return startLine().split(" ", 2)[0];
    }

    String target() {
        return startLine().split(" ", 3)[1];
    }

    /** All values of a header, in order. */
    List<String> all(String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        return head.lines()
                .skip(1)
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                .map(line -> line.substring(prefix.length()).strip())
                .toList();
    }

    /** The values of a header as one, null if there are none. */
    String header(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? null : String.join(", ", values);
    }

    boolean has(String name) {
        return !all(name).isEmpty();
    }
}
