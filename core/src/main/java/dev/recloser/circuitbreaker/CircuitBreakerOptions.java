package dev.recloser.circuitbreaker;

import dev.recloser.Classifier;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SettingsText;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a circuit breaker. Immutable. {@link CircuitBreakerBuilder} says what each of them means.
 *
 * @param <R> what calls return
 */
public final class CircuitBreakerOptions<R extends @Nullable Object> {

    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private final FailureRule failureRule;
    private final @Nullable SlowCallRule slowCallRule;
    private final BreakSettings breakSettings;
    private final int probes;
    private final int successesToClose;
    private final @Nullable Duration probeLease;
    private final Duration timeoutInside;
    private final boolean probesAgainWhenInconclusive;
    private final @Nullable HealthCheck healthCheck;
    private final Duration rampUp;
    private final boolean observeOnly;
    private final Classifier<R> classifier;

    CircuitBreakerOptions(CircuitBreakerBuilder<R> builder) {
        this.failureRule = builder.failureRule();
        this.slowCallRule = builder.slowCallRule();
        this.breakSettings = builder.breakSettings();
        this.probes = builder.probes;
        this.successesToClose = builder.successesToClose;
        this.probeLease = builder.probeLease;
        this.timeoutInside = builder.timeoutInside;
        this.probesAgainWhenInconclusive = builder.probesAgainWhenInconclusive;
        this.healthCheck = builder.healthCheck;
        this.rampUp = builder.rampUp;
        this.observeOnly = builder.observeOnly;
        this.classifier = builder.classifier();
    }

    /** A builder that starts with these settings. */
    public CircuitBreakerBuilder<R> toBuilder() {
        return new CircuitBreakerBuilder<>(this);
    }

    /** When failures open the circuit. */
    public FailureRule failureRule() {
        return failureRule;
    }

    /** When slow calls open the circuit, if they do. */
    public Optional<SlowCallRule> slowCallRule() {
        return Optional.ofNullable(slowCallRule);
    }

    /** How long the first break is. */
    public Duration breakDuration() {
        return breakSettings.duration();
    }

    /** How the break grows with each reopening in a row. */
    public BreakGrowth breakGrowth() {
        return breakSettings.growth();
    }

    /** As long as a break can become. */
    public Duration maximumBreakDuration() {
        return breakSettings.maximum();
    }

    /** Which share of a break is left to chance. */
    public double breakJitter() {
        return breakSettings.jitter();
    }

    BreakSettings breakSettings() {
        return breakSettings;
    }

    /** How many probes may run at a time. */
    public int probes() {
        return probes;
    }

    /** How many probes must succeed to close the circuit. */
    public int successesToClose() {
        return successesToClose;
    }

    /** How long a probe keeps its place. */
    public Duration probeLease() {
        if (probeLease != null) {
            return probeLease;
        }
        Duration atLeast = timeoutInside.plus(ONE_SECOND);
        return breakDuration().compareTo(atLeast) > 0 ? breakDuration() : atLeast;
    }

    /** The lease as it was set, null if it goes by the default. */
    @Nullable
    Duration ownProbeLease() {
        return probeLease;
    }

    Duration timeoutInside() {
        return timeoutInside;
    }

    /** Whether, after a probe that ended in an ignored outcome, the next call probes at once. */
    public boolean probesAgainWhenInconclusive() {
        return probesAgainWhenInconclusive;
    }

    /** What probes in the place of a caller, if anything does. */
    public Optional<HealthCheck> healthCheck() {
        return Optional.ofNullable(healthCheck);
    }

    /** For how long after closing only a growing share of the calls is admitted; zero if all are at once. */
    public Duration rampUp() {
        return rampUp;
    }

    /** Whether the breaker only observes, and rejects nothing. */
    public boolean observeOnly() {
        return observeOnly;
    }

    /** Which outcomes are failures. */
    public Classifier<R> classifier() {
        return classifier;
    }

    /**
     * What could never happen, or hardly ever, at a given rate of calls: a rule whose minimum is not reached within its time, for
     * example. Empty if these settings work at that rate.
     *
     * @param callsPerSecond the rate, more than 0
     */
    public List<String> advise(double callsPerSecond) {
        return Advice.of(this, callsPerSecond);
    }

    /** Every setting by its name, as a person would write it. Functions appear by the names that they were given. */
    public Map<String, String> describe() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (failureRule instanceof FailureRule.Ratio rule) {
            settings.put("failureRatio", String.valueOf(rule.ratio()));
            settings.put("minimumThroughput", String.valueOf(rule.minimumThroughput()));
            settings.put("samplingDuration", SettingsCheck.readable(rule.samplingDuration()));
        } else if (failureRule instanceof FailureRule.Count rule) {
            settings.put("openAfter", rule.failures() + " of " + rule.of());
            settings.put("withinLast", SettingsCheck.readable(rule.within()));
        } else if (failureRule instanceof FailureRule.Consecutive rule) {
            settings.put("openAfterConsecutive", String.valueOf(rule.failures()));
        }
        if (slowCallRule != null) {
            settings.put("slowCallThreshold", SettingsCheck.readable(slowCallRule.threshold()));
            settings.put("slowCallRatio", String.valueOf(slowCallRule.ratio()));
            settings.put("slowCallMinimumThroughput", String.valueOf(slowCallRule.minimumThroughput()));
            settings.put("slowCallSamplingDuration", SettingsCheck.readable(slowCallRule.samplingDuration()));
        }
        breakSettings.describe(settings);
        settings.put("probes", String.valueOf(probes));
        settings.put("successesToClose", String.valueOf(successesToClose));
        settings.put("probeLease", probeLease == null ? "default" : SettingsCheck.readable(probeLease));
        settings.put("timeoutInside", SettingsCheck.readable(timeoutInside));
        settings.put("whenInconclusive", probesAgainWhenInconclusive ? "probe again" : "reopen");
        settings.put("healthCheck", healthCheck == null ? "none" : "given");
        settings.put("rampUp", SettingsCheck.readable(rampUp));
        settings.put("observeOnly", String.valueOf(observeOnly));
        settings.put("failuresAre", classifier.toString());
        return Collections.unmodifiableMap(settings);
    }

    @Override
    public String toString() {
        return SettingsText.of(describe());
    }
}
