package dev.recloser.gateway.config;

import dev.recloser.SettingsException.Problem;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.gateway.config.Section.Entry;
import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the settings of a breaker. Their names are those of {@link CircuitBreakerOptions}, written with hyphens; their ranges are
 * checked by it too, and what it finds is brought back to the place in the file.
 */
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
    private final Scalars scalars;

    BreakerReader(Findings findings) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
    }

    /** The section of a cluster in which its breaker is set, if it has one. */
    Optional<Section> section(Section cluster) {
        return cluster.optional(NAME)
                .flatMap(entry -> Section.of(NAME, entry.keyNode(), entry.value(), findings))
                .map(section -> section.allow(KEYS));
    }

    /** The settings; empty if any of them cannot work. */
    Optional<CircuitBreakerOptions<Object>> read(Optional<Section> section) {
        CircuitBreakerBuilder<Object> builder = defaults();
        section.ifPresent(given -> read(given, builder));
        SettingsCheck check = new SettingsCheck();
        builder.check(check);
        for (Problem problem : check.problems()) {
            section.flatMap(given -> given.optional(hyphened(problem.setting())))
                    .ifPresent(entry -> report(entry, problem));
        }
        return check.problems().isEmpty() ? Optional.of(builder.build()) : Optional.empty();
    }

    private static CircuitBreakerBuilder<Object> defaults() {
        return new CircuitBreakerBuilder<>()
                .failureRatio(0.5)
                .minimumThroughput(5)
                .samplingDuration(Duration.ofSeconds(10))
                .breakDuration(Duration.ofSeconds(30));
    }

    private void read(Section section, CircuitBreakerBuilder<Object> builder) {
        section.optional("failure-ratio")
                .map(scalars::ratio)
                .ifPresent(ratio -> ratio.ifPresent(builder::failureRatio));
        section.optional("minimum-throughput")
                .map(scalars::wholeNumber)
                .ifPresent(calls -> calls.ifPresent(builder::minimumThroughput));
        section.optional("sampling-duration").flatMap(scalars::duration).ifPresent(builder::samplingDuration);
        section.optional("break-duration").flatMap(scalars::duration).ifPresent(builder::breakDuration);
        section.optional("probes").map(scalars::wholeNumber).ifPresent(count -> count.ifPresent(builder::probes));
        section.optional("successes-to-close")
                .map(scalars::wholeNumber)
                .ifPresent(count -> count.ifPresent(builder::successesToClose));
        section.optional("probe-lease").flatMap(scalars::duration).ifPresent(builder::probeLease);
    }

    private void report(Entry entry, Problem problem) {
        findings.error(
                entry.value(),
                entry.key() + " is " + scalars.text(entry).orElse(problem.value()) + "; it must be "
                        + problem.allowed());
    }

    private static String hyphened(String camelCase) {
        return camelCase.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
