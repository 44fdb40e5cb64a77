package dev.recloser.gateway.config;

import dev.recloser.gateway.config.ClientsConfig.Connections;
import dev.recloser.gateway.config.ClientsConfig.Sizes;
import dev.recloser.gateway.config.ClientsConfig.Times;
import dev.recloser.gateway.config.Section.Entry;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads what clients may do. */
final class ClientsReader {

    static final String NAME = "clients";

    private static final String ALL = "max-connections";
    private static final String PER_ADDRESS = "max-connections-per-address";
    private static final String IDLE = "idle-timeout";
    private static final String HEADER = "header-timeout";
    private static final String BODY = "body-timeout";
    private static final String STALL = "stall-timeout";
    private static final String RATE = "min-body-rate";
    private static final String LINE = "max-request-line";
    private static final String HEADERS = "max-request-headers";
    private static final String FIELDS = "max-header-fields";
    private static final String SLASHES = "allow-encoded-slashes";
    private static final String HALF_CLOSE = "half-close";
    private static final int MOST_CONNECTIONS = 10_000_000;
    private static final int MOST_FIELDS = 10_000;
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long GIB = 1024 * MIB;

    static final Keys KEYS = keys(ClientsConfig.USUAL);

    private static Keys keys(ClientsConfig usual) {
        return Keys.NONE
                .optional(
                        ALL,
                        Shape.wholeNumber(1, MOST_CONNECTIONS),
                        "how many connections they may have in all; any number if left out")
                .optional(
                        PER_ADDRESS,
                        Shape.wholeNumber(1, MOST_CONNECTIONS),
                        "how many connections they may have from one address; any number if left out")
                .optional(
                        IDLE,
                        Shape.duration().byDefault(usual.times().idle()),
                        "how long a connection may be idle between two requests, at most 1d")
                .optional(
                        HEADER,
                        Shape.duration().byDefault(usual.times().header()),
                        "how long the head of a request may take from its first byte, at most 1d")
                .optional(
                        BODY,
                        Shape.duration().byDefault(usual.times().body()),
                        "how long the next piece of the body of a request may take, at most 1d")
                .optional(
                        STALL,
                        Shape.duration().byDefault(usual.times().stall()),
                        "how long a client may take nothing of an answer, at most 1d")
                .optional(
                        RATE,
                        Shape.size(),
                        "how many bytes of a body a client must send per second on average; any rate if left out")
                .optional(
                        LINE,
                        Shape.size().byDefault(usual.sizes().requestLine() / KIB + "KiB"),
                        "how long the first line of a request may be, from 1KiB to 1MiB")
                .optional(
                        HEADERS,
                        Shape.size().byDefault(usual.sizes().headers() / KIB + "KiB"),
                        "how large all headers of a request together may be, from 1KiB to 1MiB")
                .optional(
                        FIELDS,
                        Shape.wholeNumber(1, MOST_FIELDS)
                                .byDefault(usual.sizes().headerFields()),
                        "how many headers a request may have")
                .optional(
                        SLASHES,
                        Shape.flag().byDefault(usual.encodedSlashes()),
                        "whether a path may have encoded slashes")
                .optional(
                        HALF_CLOSE,
                        Shape.flag().byDefault(usual.halfClose()),
                        "whether a client that has ended its side of the connection still gets its answer");
    }

    private final Findings findings;
    private final Scalars scalars;
    private final Ranges ranges;

    ClientsReader(Findings findings) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
        this.ranges = new Ranges(findings);
    }

    /** What is said of clients, and what holds for all else. */
    ClientsConfig read(Section root) {
        return root.optional(NAME)
                .flatMap(entry -> Section.of(NAME, entry.keyNode(), entry.value(), findings))
                .map(section -> settings(section.allow(KEYS)))
                .orElse(ClientsConfig.USUAL);
    }

    private ClientsConfig settings(Section given) {
        Times times = ClientsConfig.USUAL.times();
        Sizes sizes = ClientsConfig.USUAL.sizes();
        return new ClientsConfig(
                connections(given),
                new Times(
                        ranges.duration(given, IDLE, times.idle()),
                        ranges.duration(given, HEADER, times.header()),
                        ranges.duration(given, BODY, times.body()),
                        ranges.duration(given, STALL, times.stall()),
                        ranges.size(given, RATE, 1, GIB)),
                new Sizes(
                        size(given, LINE, sizes.requestLine()),
                        size(given, HEADERS, sizes.headers()),
                        ranges.wholeNumber(given, FIELDS, MOST_FIELDS, sizes.headerFields())),
                flag(given, SLASHES, ClientsConfig.USUAL.encodedSlashes()),
                flag(given, HALF_CLOSE, ClientsConfig.USUAL.halfClose()));
    }

    private boolean flag(Section given, String key, boolean byDefault) {
        return given.optional(key).flatMap(scalars::flag).orElse(byDefault);
    }

    private int size(Section given, String key, int byDefault) {
        OptionalLong size = ranges.size(given, key, KIB, MIB);
        return size.isPresent() ? (int) size.getAsLong() : byDefault;
    }

    private Connections connections(Section given) {
        OptionalInt all = number(given, ALL);
        OptionalInt perAddress = number(given, PER_ADDRESS);
        if (all.isPresent() && perAddress.isPresent() && perAddress.getAsInt() >= all.getAsInt()) {
            findings.warning(
                    given.optional(PER_ADDRESS).map(Entry::value).orElseThrow(),
                    PER_ADDRESS + " says nothing, since there may be no more than " + all.getAsInt()
                            + " connections in all; use less or leave it out");
        }
        return new Connections(all, perAddress);
    }

    private OptionalInt number(Section given, String key) {
        return given.optional(key).isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(ranges.wholeNumber(given, key, MOST_CONNECTIONS, MOST_CONNECTIONS));
    }
}
