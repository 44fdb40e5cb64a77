package dev.recloser.gateway.admin;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a client wants to have, by its {@code Accept} headers. */
final class Accepted {

    private Accepted() {}

    /** Whether it names HTML, as browsers do and programs do not. */
    static boolean isHtml(List<String> headers) {
        return headers.stream()
                .flatMap(header -> Stream.of(header.split(",", -1)))
                .map(range -> range.replaceAll("\\s", "").toLowerCase(Locale.ROOT))
                .anyMatch(range -> range.matches("text/html(;.*)?") && !range.matches(".*;q=0(\\.0*)?(;.*)?"));
    }
}
