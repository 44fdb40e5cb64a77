package dev.recloser.gateway.config;

import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import java.time.Duration;
import java.util.Optional;

/** Reads the settings of a breaker. Their names are those of {@link CircuitBreakerOptions}. */
final class BreakerReader {

    static final String NAME = "circuit-breaker";
    static final Keys KEYS = Keys.NONE
            .optional("failure-ratio", Shape.ratio().byDefault(0.5), "failures by calls that open the circuit")
            .optional(
                    "minimum-throughput",
                    Shape.wholeNumber(1, 1_000_000).byDefault(5),
                    "how many calls there must be within the sampling time before the ratio is looked at")
            .optional(
                    "sampling-duration",
                    Shape.duration().byDefault("10s"),
                    "how far back calls are counted, from 10ms to 1d")
            .optional(
                    "break-duration",
                    Shape.duration().byDefault("30s"),
                    "how long calls are rejected; the next one after that is a probe")
            .optional("probes", Shape.wholeNumber(1, 1000).byDefault(1), "how many probes may run at a time")
            .optional(
                    "successes-to-close",
                    Shape.wholeNumber(1, 1000).byDefault(1),
                    "how many probes must succeed to close the circuit; one that fails opens it again")
            .optional(
                    "probe-lease",
                    Shape.duration(),
                    "how long a probe may take before its place is given to another one; as long as the break, and at least 30s, if left out");

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
