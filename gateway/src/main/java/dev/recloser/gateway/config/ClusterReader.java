package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/** Reads a cluster: its name, its destinations, its limits and its breaker. */
final class ClusterReader {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(60);

    /** Long enough for a first packet that is lost to be sent again, which systems do after a second. */
    private static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private static final Set<String> KEYS = Set.of(
            "destinations",
            "timeout",
            "connect-timeout",
            "idle-timeout",
            "total-timeout",
            LimitsReader.RATE,
            LimitsReader.CONCURRENCY,
            LimitsReader.ADAPTIVE,
            LimitsReader.BODY,
            RetryReader.NAME,
            BalancingReader.POLICY,
            OutlierDetectionReader.NAME,
            HealthCheckReader.NAME,
            TlsReader.PROTOCOL,
            TlsReader.NAME,
            "circuit-breaker");

    /** The name stands in the paths of the admin server. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

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
        LimitsConfig limitsConfig = limits.read(section);
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
