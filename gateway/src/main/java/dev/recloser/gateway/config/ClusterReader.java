package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/** Reads a cluster: its name, its destinations, its limits and its breaker. */
final class ClusterReader {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(60);

    /** Long enough for a first packet that is lost to be sent again, which systems do after a second. */
    private static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);

    static final Keys KEYS = Keys.NONE
            .required(
                    "destinations",
                    DestinationReader.SHAPE,
                    "where instances of the service listen, each http://HOST[:PORT] or https://HOST[:PORT]")
            .optional(
                    BalancingReader.POLICY,
                    BalancingReader.POLICY_SHAPE,
                    "how requests are shared among the destinations")
            .optional(TlsReader.PROTOCOL, TlsReader.PROTOCOL_SHAPE, "what is spoken with the destinations")
            .optional(
                    TlsReader.NAME,
                    Shape.mapping(TlsReader.CLUSTER_KEYS),
                    "how TLS is spoken with destinations whose URL is https")
            .optional(
                    "connect-timeout",
                    Shape.duration().byDefault(DEFAULT_CONNECT_TIMEOUT),
                    "how long a connection to a destination may take, TLS included, at most 1d")
            .optional(
                    "timeout",
                    Shape.duration().byDefault(DEFAULT_TIMEOUT),
                    "how long the service may take from the last byte of the request to the headers of its answer, at most 1d")
            .optional(
                    "idle-timeout",
                    Shape.duration().byDefault(DEFAULT_IDLE_TIMEOUT),
                    "how long the service may be silent in the middle of the body of an answer, at most 1d")
            .optional(
                    "total-timeout",
                    Shape.duration(),
                    "how long a request may take in all, from the end of its headers to the end of its answer, at most 1d; no bound if left out")
            .optional(
                    LimitsReader.RATE,
                    Shape.mapping(LimitsReader.RATE_KEYS),
                    "how many requests may begin in a time; no limit if left out")
            .optional(
                    LimitsReader.CONCURRENCY,
                    Shape.mapping(LimitsReader.CONCURRENCY_KEYS),
                    "how many requests may be under way at a time; no limit if left out")
            .optional(
                    LimitsReader.ADAPTIVE,
                    Shape.mapping(LimitsReader.ADAPTIVE_KEYS),
                    "the same, with a limit that is found by the latency of the service; not with concurrency-limit")
            .optional(
                    LimitsReader.BODY,
                    Shape.size(),
                    "how large the body of a request may be, such as 10MiB; no limit if left out")
            .optional(
                    ConnectionLimitReader.NAME,
                    ConnectionLimitReader.SHAPE,
                    "how many connections there may be to each destination: a number, or its settings; any number if left out")
            .optional(
                    RetryReader.NAME,
                    Shape.mapping(RetryReader.KEYS),
                    "which requests are tried again although a service has had them; none if left out")
            .optional(
                    OutlierDetectionReader.NAME,
                    OutlierDetectionReader.SHAPE,
                    "when a destination to which requests fail is left out for a time: off, or its settings; on if left out")
            .optional(
                    HealthCheckReader.NAME,
                    HealthCheckReader.SHAPE,
                    "how the gateway asks the destinations by itself whether they are well; no checks if left out")
            .optional(
                    BreakerReader.NAME,
                    Shape.mapping(BreakerReader.KEYS),
                    "the settings of the circuit of this cluster");

    /** The name stands in the paths of the admin server. */
    static final String NAMES = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

    private static final Pattern NAME = Pattern.compile(NAMES);

    private final Findings findings;
    private final Ranges ranges;
    private final LimitsReader limits;
    private final RetryReader retries;
    private final DestinationReader destinations;
    private final BalancingReader balancing;
    private final BreakerReader breakers;
    private final TlsReader tls;

    /**
     * A reader of all clusters.
     *
     * @param listen where the gateway itself listens, if that is known
     * @param tls reads how TLS is spoken with destinations
     */
    ClusterReader(Optional<HostPort> listen, TlsReader tls, Findings findings) {
        this.tls = tls;
        this.findings = findings;
        this.ranges = new Ranges(findings);
        this.limits = new LimitsReader(findings);
        this.retries = new RetryReader(findings);
        this.destinations = new DestinationReader(listen, findings);
        this.balancing = new BalancingReader(findings);
        this.breakers = new BreakerReader(findings);
    }

    Optional<ClusterConfig> read(Entry entry) {
        String name = entry.key();
        if (!NAME.matcher(name).matches()) {
            findings.error(
                    entry.keyNode(),
                    "'" + name + "' is no name for a cluster; use up to 100 letters, digits, '-', '_' and '.'");
        }
        return Section.of("cluster '" + name + "'", entry.keyNode(), entry.value(), findings)
                .flatMap(section -> read(name, entry.keyNode(), section.allow(KEYS)));
    }

    private Optional<ClusterConfig> read(String name, Node at, Section section) {
        List<DestinationConfig> where = section.required("destinations", DestinationReader.EXAMPLE)
                .map(destinations::read)
                .orElse(List.of());
        Duration connectTimeout = ranges.duration(section, "connect-timeout", DEFAULT_CONNECT_TIMEOUT);
        Duration timeout = ranges.duration(section, "timeout", DEFAULT_TIMEOUT);
        Duration idleTimeout = ranges.duration(section, "idle-timeout", DEFAULT_IDLE_TIMEOUT);
        Optional<Duration> totalTimeout = ranges.duration(section, "total-timeout");
        LimitsConfig limitsConfig = limits.read(section, connectTimeout);
        RetryConfig retry = retries.read(section);
        BalancingConfig shared = balancing.read(section);
        UpstreamConfig upstream = tls.cluster(section);
        Optional<StrategySettings> breaker = breakers.settings(section);
        Optional<ClusterConfig> cluster = breakers.read(breaker)
                .map(options -> new ClusterConfig(
                        name,
                        where,
                        connectTimeout,
                        timeout,
                        idleTimeout,
                        totalTimeout,
                        limitsConfig,
                        retry,
                        options,
                        shared,
                        upstream));
        cluster.ifPresent(config ->
                new ClusterAdvice(findings, at, section, breaker.map(StrategySettings::section)).give(config));
        return cluster;
    }
}
