package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.time.Duration;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads how many connections there may be to each destination: a number, or a mapping with what there is to say about waiting. */
final class ConnectionLimitReader {

    static final String NAME = "max-connections";

    private static final String EACH = "per-destination";
    private static final String QUEUE = "queue";
    private static final String MAX_WAIT = "max-wait";
    private static final int MOST = 1_000_000;
    private static final int DEFAULT_QUEUE = 100;

    private static final Keys KEYS = Keys.NONE
            .required(
                    EACH,
                    Shape.wholeNumber(1, MOST).example(100),
                    "how many connections there may be to each destination")
            .optional(
                    QUEUE,
                    Shape.wholeNumber(0, MOST).byDefault(DEFAULT_QUEUE),
                    "how many requests may wait for a connection")
            .optional(
                    MAX_WAIT,
                    Shape.duration(),
                    "how long a request may wait for one, at most 1d; the connect-timeout if left out");

    static final Shape SHAPE = Shape.either(Shape.wholeNumber(1, MOST), Shape.mapping(KEYS));

    private final Findings findings;
    private final Ranges ranges;

    ConnectionLimitReader(Findings findings) {
        this.findings = findings;
        this.ranges = new Ranges(findings);
    }

    /**
     * The limit of a cluster; empty if it has none.
     *
     * @param connectTimeout for so long a request would wait for a connection without a limit, too
     */
    Optional<ConnectionLimitConfig> read(Section cluster, Duration connectTimeout) {
        Optional<Entry> entry = cluster.optional(NAME);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        if (TlsReader.isHttp2(cluster)) {
            findings.error(
                    entry.get().keyNode(),
                    NAME
                            + " does not go with protocol: http2, where requests share connections; use concurrency-limit");
        }
        if (entry.get().value() instanceof ScalarNode) {
            int each = ranges.wholeNumber(cluster, NAME, MOST, 1);
            return Optional.of(new ConnectionLimitConfig(each, DEFAULT_QUEUE, connectTimeout));
        }
        return Section.of(NAME, entry.get().keyNode(), entry.get().value(), findings)
                .map(section -> settings(section.allow(KEYS), connectTimeout));
    }

    private ConnectionLimitConfig settings(Section given, Duration connectTimeout) {
        given.required(EACH, "100");
        int queue = ranges.wholeNumberOrNone(given, QUEUE, MOST, DEFAULT_QUEUE);
        if (queue == 0) {
            given.optional(MAX_WAIT)
                    .ifPresent(unused -> findings.warning(
                            unused.keyNode(), MAX_WAIT + " says nothing with queue: 0; leave one of them out"));
        }
        return new ConnectionLimitConfig(
                ranges.wholeNumber(given, EACH, MOST, 1), queue, ranges.duration(given, MAX_WAIT, connectTimeout));
    }
}
