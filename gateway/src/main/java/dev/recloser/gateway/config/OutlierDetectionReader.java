package dev.recloser.gateway.config;

import dev.recloser.gateway.config.Section.Entry;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads when a destination to which requests fail is left out for a time: {@code off}, or the settings. */
final class OutlierDetectionReader {

    static final String NAME = "outlier-detection";

    private static final String OFF = "off";
    private static final int MOST = 1_000_000;
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
    private static final OutlierDetectionConfig USUAL = OutlierDetectionConfig.USUAL;
    private static final Keys KEYS = Keys.NONE
            .optional(
                    "consecutive-failures",
                    Shape.wholeNumber(1, MOST).byDefault(USUAL.consecutiveFailures()),
                    "after how many failures in a row a destination is ejected")
            .optional(
                    "failure-ratio",
                    Shape.ratio(),
                    "failures by requests within an interval that eject it; the ratio does not matter if left out")
            .optional(
                    "minimum-throughput",
                    Shape.wholeNumber(1, MOST).byDefault(USUAL.minimumThroughput()),
                    "how many requests there must be within the interval before the ratio is looked at")
            .optional(
                    "interval",
                    Shape.duration().byDefault(USUAL.interval()),
                    "how long requests are counted for the ratio, before the counts begin anew, from 100ms to 1d")
            .optional(
                    "ejection-time",
                    Shape.duration().byDefault(USUAL.ejectionTime()),
                    "how long it is ejected the first time, at most 1d")
            .optional(
                    "max-ejection-time",
                    Shape.duration().byDefault(USUAL.maxEjectionTime()),
                    "how long at most, at most 1d")
            .optional(
                    "max-ejected-ratio",
                    Shape.ratio().byDefault(USUAL.maxEjectedRatio()),
                    "how large a part of the destinations may be ejected at a time; one may in any case, and one never is")
            .optional(
                    "slow-start",
                    Shape.duration(),
                    "for how long the share of one that returns grows, from a tenth to the full one, at most 1d; off if left out");

    static final Shape SHAPE = Shape.either(Shape.oneOf(Set.of(OFF)), Shape.mapping(KEYS));

    private final Findings findings;
    private final Ranges ranges;

    OutlierDetectionReader(Findings findings) {
        this.findings = findings;
        this.ranges = new Ranges(findings);
    }

    /** The settings of a cluster; empty if it is off. */
    Optional<OutlierDetectionConfig> read(Section cluster) {
        Optional<Entry> entry = cluster.optional(NAME);
        if (entry.isEmpty()) {
            return Optional.of(OutlierDetectionConfig.USUAL);
        }
        if (entry.get().value() instanceof ScalarNode scalar) {
            if (!scalar.getValue().equals(OFF)) {
                findings.error(
                        scalar,
                        NAME + " is '" + scalar.getValue() + "'; write off, or " + NAME
                                + ": { consecutive-failures: 5 }");
            }
            return Optional.empty();
        }
        return Section.of(NAME, entry.get().keyNode(), entry.get().value(), findings)
                .map(section -> settings(section.allow(KEYS)));
    }

    private OutlierDetectionConfig settings(Section given) {
        OutlierDetectionConfig usual = OutlierDetectionConfig.USUAL;
        Duration ejection = ranges.duration(given, "ejection-time", usual.ejectionTime());
        Duration most = ranges.duration(given, "max-ejection-time", longer(ejection, usual.maxEjectionTime()));
        if (most.compareTo(ejection) < 0) {
            given.optional("max-ejection-time")
                    .ifPresent(entry -> findings.error(
                            entry.value(),
                            "max-ejection-time " + Durations.write(most) + " is shorter than the ejection-time of "
                                    + Durations.write(ejection) + "; use " + Durations.write(ejection) + " or more"));
        }
        OptionalDouble ratio = given.optional("failure-ratio")
                .map(entry -> OptionalDouble.of(ranges.ratio(given, entry.key(), 1)))
                .orElse(OptionalDouble.empty());
        if (ratio.isEmpty()) {
            needsRatio(given, "minimum-throughput");
            needsRatio(given, "interval");
        }
        OutlierDetectionConfig config = new OutlierDetectionConfig(
                ranges.wholeNumber(given, "consecutive-failures", MOST, usual.consecutiveFailures()),
                ratio,
                ranges.wholeNumber(given, "minimum-throughput", MOST, usual.minimumThroughput()),
                ranges.duration(given, "interval", SHORTEST_INTERVAL, usual.interval()),
                ejection,
                most,
                ranges.ratio(given, "max-ejected-ratio", usual.maxEjectedRatio()),
                ranges.duration(given, "slow-start", usual.slowStart()));
        advise(given, config);
        return config;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void needsRatio(Section given, String key) {
        given.optional(key)
                .ifPresent(entry -> findings.warning(
                        entry.keyNode(),
                        key + " does nothing without a failure-ratio; add failure-ratio: 0.5 or leave it out"));
    }

    private void advise(Section given, OutlierDetectionConfig config) {
        if (config.consecutiveFailures() == 1) {
            given.optional("consecutive-failures")
                    .ifPresent(entry -> findings.warning(
                            entry.value(),
                            "one failed request ejects a destination; use 2 consecutive-failures or more"));
        }
    }
}
