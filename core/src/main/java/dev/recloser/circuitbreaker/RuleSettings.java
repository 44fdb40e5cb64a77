package dev.recloser.circuitbreaker;

import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of a builder that say when the circuit opens. What was not set is null, so that a mix of two rules is noticed. */
final class RuleSettings {

    static final int MOST_PROBES = 1000;

    private static final int MOST = 1_000_000;
    private static final int LONGEST_COUNT = 1000;
    private static final double DEFAULT_RATIO = .1;
    private static final int DEFAULT_THROUGHPUT = 100;
    private static final Duration DEFAULT_SAMPLING = Duration.ofSeconds(30);
    private static final Duration DEFAULT_SPAN = Duration.ofMinutes(1);
    private static final Duration SHORTEST_SAMPLING = Duration.ofMillis(10);
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final Duration NANOSECOND = Duration.ofNanos(1);

    @Nullable
    Double failureRatio;

    @Nullable
    Integer minimumThroughput;

    @Nullable
    Duration samplingDuration;

    @Nullable
    Integer countFailures;

    @Nullable
    Integer countOf;

    @Nullable
    Duration countWithin;

    @Nullable
    Integer consecutiveFailures;

    @Nullable
    Duration slowThreshold;

    @Nullable
    Double slowRatio;

    @Nullable
    Integer slowMinimumThroughput;

    @Nullable
    Duration slowSamplingDuration;

    /** The rule of the settings that these were derived from: holds as long as none of another kind is set. */
    private final FailureRule inherited;

    RuleSettings() {
        inherited = new FailureRule.Ratio(DEFAULT_RATIO, DEFAULT_THROUGHPUT, DEFAULT_SAMPLING);
    }

    RuleSettings(FailureRule rule, @Nullable SlowCallRule slow) {
        inherited = rule;
        if (slow != null) {
            slowThreshold = slow.threshold();
            slowRatio = slow.ratio();
            slowMinimumThroughput = slow.minimumThroughput();
            slowSamplingDuration = slow.samplingDuration();
        }
    }

    private boolean hasRatio() {
        return failureRatio != null || minimumThroughput != null || samplingDuration != null;
    }

    FailureRule failureRule() {
        if (countFailures != null && countOf != null) {
            Duration span = inherited instanceof FailureRule.Count count ? count.within() : DEFAULT_SPAN;
            return new FailureRule.Count(countFailures, countOf, or(countWithin, span));
        }
        if (consecutiveFailures != null) {
            return new FailureRule.Consecutive(consecutiveFailures);
        }
        if (inherited instanceof FailureRule.Ratio ratio) {
            return ratio(ratio.ratio(), ratio.minimumThroughput(), ratio.samplingDuration());
        }
        if (hasRatio()) {
            return ratio(DEFAULT_RATIO, DEFAULT_THROUGHPUT, DEFAULT_SAMPLING);
        }
        return inherited instanceof FailureRule.Count count
                ? new FailureRule.Count(count.failures(), count.of(), or(countWithin, count.within()))
                : inherited;
    }

    private FailureRule ratio(double ratio, int throughput, Duration sampling) {
        return new FailureRule.Ratio(
                or(failureRatio, ratio), or(minimumThroughput, throughput), or(samplingDuration, sampling));
    }

    @Nullable
    SlowCallRule slowCallRule() {
        if (slowThreshold == null || slowRatio == null) {
            return null;
        }
        return new SlowCallRule(
                slowThreshold,
                slowRatio,
                or(slowMinimumThroughput, DEFAULT_THROUGHPUT),
                or(slowSamplingDuration, DEFAULT_SAMPLING));
    }

    void check(SettingsCheck check) {
        int kinds = (hasRatio() ? 1 : 0) + (countFailures != null ? 1 : 0) + (consecutiveFailures != null ? 1 : 0);
        check.require(
                kinds <= 1,
                "failure rule",
                kinds + " at once",
                "one of failureRatio with minimumThroughput and samplingDuration, openAfter, openAfterConsecutive");
        check.require(
                countWithin == null || failureRule() instanceof FailureRule.Count,
                "withinLast",
                "set alone",
                "set together with openAfter");
        checkRule(check);
        checkSlow(check);
    }

    private void checkRule(SettingsCheck check) {
        FailureRule rule = failureRule();
        if (rule instanceof FailureRule.Ratio ratio) {
            check.ratio("failureRatio", ratio.ratio())
                    .range("minimumThroughput", ratio.minimumThroughput(), 1, MOST)
                    .range("samplingDuration", ratio.samplingDuration(), SHORTEST_SAMPLING, ONE_DAY);
        } else if (rule instanceof FailureRule.Count count) {
            check.range("openAfter outcomes", count.of(), 1, LONGEST_COUNT)
                    .range("openAfter failures", count.failures(), 1, Math.max(1, count.of()))
                    .range("withinLast", count.within(), SHORTEST_SAMPLING, ONE_DAY);
        } else if (rule instanceof FailureRule.Consecutive consecutive) {
            check.range("openAfterConsecutive", consecutive.failures(), 1, MOST);
        }
    }

    private void checkSlow(SettingsCheck check) {
        SlowCallRule slow = slowCallRule();
        if (slow == null) {
            check.require(
                    slowMinimumThroughput == null && slowSamplingDuration == null,
                    "slowCalls",
                    "missing",
                    "set where slowCallMinimumThroughput or slowCallSamplingDuration is");
            return;
        }
        check.range("slowCallThreshold", slow.threshold(), NANOSECOND, ONE_DAY)
                .ratio("slowCallRatio", slow.ratio())
                .range("slowCallMinimumThroughput", slow.minimumThroughput(), 1, MOST)
                .range("slowCallSamplingDuration", slow.samplingDuration(), SHORTEST_SAMPLING, ONE_DAY);
    }

    private static <T> T or(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
