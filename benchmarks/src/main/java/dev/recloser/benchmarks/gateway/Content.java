package dev.recloser.benchmarks.gateway;

import java.util.Locale;

/** What the service answers. */
enum Content {
    SMALL(100),
    LARGE(256 * 1024);

    private final int bytes;

    Content(int bytes) {
        this.bytes = bytes;
    }

    String path() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    String text() {
        return "x".repeat(bytes);
    }
}
