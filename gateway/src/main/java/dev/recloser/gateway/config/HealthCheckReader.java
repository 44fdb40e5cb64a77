package dev.recloser.gateway.config;

import dev.recloser.gateway.config.HealthCheckConfig.Statuses;
import dev.recloser.gateway.config.Section.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how the gateway asks the destinations of a cluster whether they are well. */
final class HealthCheckReader {

    static final String NAME = "health-check";

    private static final int MOST = 1000;
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
    private static final String PATH_EXAMPLE = "/healthz";
    private static final Pattern PATH = Pattern.compile("/[!-~&&[^#]]*");
    private static final Pattern STATUSES = Pattern.compile("([2-5]\\d\\d)(?:-([2-5]\\d\\d))?");
    private static final HealthCheckConfig USUAL = HealthCheckConfig.of(PATH_EXAMPLE);
    static final Keys KEYS = Keys.NONE
            .optional(
                    "path",
                    Shape.text("/[^ #]*").example(PATH_EXAMPLE),
                    "what is asked for; it may have a query. Must be given, unless there is a grpc-service")
            .optional(
                    "grpc-service",
                    Shape.text(),
                    "the service that is asked after by gRPC's health checking protocol, empty for the server as a whole; needs protocol: http2")
            .optional(
                    "interval",
                    Shape.duration().byDefault(USUAL.interval()),
                    "how much time is from one check of a destination to the next, from 100ms to 1d")
            .optional(
                    "timeout",
                    Shape.duration().byDefault(USUAL.timeout()),
                    "how long a check may take, from connecting to the headers of the answer, at most 1d")
            .optional(
                    "healthy-after",
                    Shape.wholeNumber(1, MOST).byDefault(USUAL.healthyAfter()),
                    "after how many good checks in a row an unhealthy destination is healthy again")
            .optional(
                    "unhealthy-after",
                    Shape.wholeNumber(1, MOST).byDefault(USUAL.unhealthyAfter()),
                    "after how many failed checks in a row a destination is unhealthy")
            .optional(
                    "statuses",
                    Shape.text("[2-5]\\d\\d(-[2-5]\\d\\d)?")
                            .with("type", List.of("string", "integer"))
                            .with("minimum", 200)
                            .with("maximum", 599)
                            .byDefault(USUAL.statuses().toString()),
                    "which statuses are good: one, or a range")
            .optional(
                    "probes-circuit",
                    Shape.flag().byDefault(USUAL.probesCircuit()),
                    "whether a check and not a request of a client probes an open circuit");

    static final Shape SHAPE = Shape.mapping(KEYS)
            .with("anyOf", List.of(Map.of("required", List.of("path")), Map.of("required", List.of("grpc-service"))))
            .example(Map.of("path", PATH_EXAMPLE));

    private final Findings findings;
    private final Scalars scalars;
    private final Ranges ranges;

    HealthCheckReader(Findings findings) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
        this.ranges = new Ranges(findings);
    }

    /** The settings of a cluster, if it has any. */
    Optional<HealthCheckConfig> read(Section cluster) {
        return cluster.optional(NAME)
                .flatMap(entry -> Section.of(NAME, entry.keyNode(), entry.value(), findings))
                .map(section -> settings(section.allow(KEYS), usual(section, cluster)));
    }

    /** What is asked, with everything else as usual. */
    private HealthCheckConfig usual(Section given, Section cluster) {
        Optional<Entry> grpc = given.optional("grpc-service");
        if (grpc.isEmpty()) {
            return HealthCheckConfig.of(
                    given.required("path", PATH_EXAMPLE).flatMap(this::path).orElse(PATH_EXAMPLE));
        }
        given.optional("path")
                .or(() -> given.optional("statuses"))
                .ifPresent(entry -> findings.error(
                        entry.value(),
                        entry.key() + " does not go with grpc-service, which asks by gRPC; leave one of them out"));
        if (!TlsReader.isHttp2(cluster)) {
            findings.error(
                    grpc.get().value(),
                    "grpc-service needs HTTP/2; add protocol: http2 to the cluster, or ask for a path");
        }
        return HealthCheckConfig.ofGrpc(grpc.flatMap(scalars::text).orElse(""));
    }

    private HealthCheckConfig settings(Section given, HealthCheckConfig usual) {
        HealthCheckConfig config = new HealthCheckConfig(
                usual.path(),
                usual.grpcService(),
                ranges.duration(given, "interval", SHORTEST_INTERVAL, usual.interval()),
                ranges.duration(given, "timeout", usual.timeout()),
                ranges.wholeNumber(given, "healthy-after", MOST, usual.healthyAfter()),
                ranges.wholeNumber(given, "unhealthy-after", MOST, usual.unhealthyAfter()),
                given.optional("statuses").flatMap(this::statuses).orElse(usual.statuses()),
                given.optional("probes-circuit").flatMap(scalars::flag).orElse(usual.probesCircuit()));
        if (config.timeout().compareTo(config.interval()) > 0) {
            given.optional("timeout")
                    .or(() -> given.optional("interval"))
                    .ifPresent(entry -> findings.warning(
                            entry.value(),
                            "the timeout of " + Durations.write(config.timeout()) + " is longer than the interval of "
                                    + Durations.write(config.interval())
                                    + ": a destination that hangs is asked less often; use a timeout of "
                                    + Durations.write(config.interval()) + " or less"));
        }
        return config;
    }

    private Optional<String> path(Entry entry) {
        Optional<String> text = scalars.text(entry);
        if (text.isPresent() && !PATH.matcher(text.get()).matches()) {
            findings.error(
                    entry.value(),
                    entry.key() + " is '" + text.get()
                            + "'; it must begin with '/', and have neither blanks nor '#'; write one such as "
                            + PATH_EXAMPLE);
            return Optional.empty();
        }
        return text;
    }

    private Optional<Statuses> statuses(Entry entry) {
        Optional<String> text = scalars.text(entry);
        Optional<Statuses> statuses = text.map(STATUSES::matcher)
                .filter(Matcher::matches)
                .map(matcher -> new Statuses(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2) == null ? matcher.group(1) : matcher.group(2))))
                .filter(range -> range.first() <= range.last());
        if (text.isPresent() && statuses.isEmpty()) {
            findings.error(
                    entry.value(),
                    entry.key() + " is '" + text.get()
                            + "'; write a status from 200 to 599, or a range of them such as 200-299");
        }
        return statuses;
    }
}
