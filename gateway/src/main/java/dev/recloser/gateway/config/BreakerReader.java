package dev.recloser.gateway.config;

import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Reads the settings of a breaker. Their names are those of {@link CircuitBreakerOptions}. */
final class BreakerReader {

    private static final String NAME = "circuit-breaker";
    private static final Set<String> KEYS = Set.of(
            "failure-ratio",
            "minimum-throughput",
            "sampling-duration",
            "break-duration",
            "probes",
            "successes-to-close",
            "probe-lease");

    private final Findings findings;

    BreakerReader(Findings findings) {
        this.findings = findings;
    }

    /** The section of a cluster in which its breaker is set, if it has one. */
    Optional<StrategySettings> settings(Section cluster) {
        return cluster.optional(NAME).flatMap(entry -> StrategySettings.of(entry, KEYS, findings));
    }

    /** The options; empty if any of them cannot work. */
    Optional<CircuitBreakerOptions<Object>> read(Optional<StrategySettings> settings) {
        CircuitBreakerBuilder<Object> builder = defaults();
        boolean work = settings.map(given -> read(given, builder)).orElse(true);
        return work ? Optional.of(builder.build()) : Optional.empty();
    }

    private static CircuitBreakerBuilder<Object> defaults() {
        return new CircuitBreakerBuilder<>()
                .failureRatio(0.5)
                .minimumThroughput(5)
                .samplingDuration(Duration.ofSeconds(10))
                .breakDuration(Duration.ofSeconds(30));
    }

    private static boolean read(StrategySettings settings, CircuitBreakerBuilder<Object> builder) {
        return settings.decimal("failure-ratio", builder::failureRatio)
                .whole("minimum-throughput", builder::minimumThroughput)
                .duration("sampling-duration", builder::samplingDuration)
                .duration("break-duration", builder::breakDuration)
                .whole("probes", builder::probes)
                .whole("successes-to-close", builder::successesToClose)
                .duration("probe-lease", builder::probeLease)
                .work(builder::check);
    }
}
