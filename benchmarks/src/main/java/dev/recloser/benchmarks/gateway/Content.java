package dev.recloser.benchmarks.gateway;

import java.util.Locale;

/** What the service answers. */
enum Content {
    SMALL(100, "100 B"),
    MEDIUM(16 * 1024, "16 KiB"),
    LARGE(256 * 1024, "256 KiB"),
    HUGE(10 * 1024 * 1024, "10 MiB");

    private final int bytes;
    private final String size;

    Content(int bytes, String size) {
        this.bytes = bytes;
        this.size = size;
    }

    /** How large it is, to be read by people. */
    String size() {
        return size;
    }

    /** The name of the file with it. */
    String file() {
        return name().toLowerCase(Locale.ROOT);
    }

    String path() {
        return "/" + file();
    }

    String text() {
        return "x".repeat(bytes);
    }
}
