package dev.recloser.circuitbreaker;

import dev.recloser.Classifier;
import dev.recloser.spi.JudgingBuilder;
import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds {@link CircuitBreakerOptions}. What is wrong is found when they are built, all at once.
 *
 * <p>A breaker has one rule for failures: the ratio over time unless {@link #openAfter} or {@link #openAfterConsecutive} is called. To
 * mix settings of two rules is an error, not a silent win of one. Not thread-safe.
 *
 * @param <R> what calls return
 */
public final class CircuitBreakerBuilder<R extends @Nullable Object>
        extends JudgingBuilder<R, CircuitBreakerBuilder<R>> {

    private final RuleSettings rules;

    Duration breakDuration = Duration.ofSeconds(5);
    BreakGrowth breakGrowth = BreakGrowth.NONE;

    @Nullable
    Duration maximumBreakDuration;

    double breakJitter;

    @Nullable
    BreakFunction<Object> breakFunction;

    int probes = 1;
    int successesToClose = 1;

    @Nullable
    Duration probeLease;

    Duration timeoutInside = Duration.ZERO;
    boolean probesAgainWhenInconclusive;

    @Nullable
    HealthCheck healthCheck;

    Duration rampUp = Duration.ZERO;
    boolean observeOnly;

    /** A builder in which every setting has its default. */
    public CircuitBreakerBuilder() {
        super(Classifier.defaults());
        rules = new RuleSettings();
    }

    CircuitBreakerBuilder(CircuitBreakerOptions<R> options) {
        super(options.classifier());
        rules = new RuleSettings(options.failureRule(), options.slowCallRule().orElse(null));
        BreakSettings breaks = options.breakSettings();
        breakDuration = breaks.duration();
        breakGrowth = breaks.growth();
        maximumBreakDuration = breaks.ownMaximum();
        breakJitter = breaks.jitter();
        breakFunction = breaks.asked();
        probes = options.probes();
        successesToClose = options.successesToClose();
        probeLease = options.ownProbeLease();
        timeoutInside = options.timeoutInside();
        probesAgainWhenInconclusive = options.probesAgainWhenInconclusive();
        healthCheck = options.healthCheck().orElse(null);
        rampUp = options.rampUp();
        observeOnly = options.observeOnly();
    }

    @Override
    protected CircuitBreakerBuilder<R> self() {
        return this;
    }

    // ---- when it opens

    /** The ratio of failures that opens the circuit: more than 0, at most 1; 0.1 by default. */
    public CircuitBreakerBuilder<R> failureRatio(double ratio) {
        rules.failureRatio = ratio;
        return this;
    }

    /**
     * How many calls, successes and failures, there must be within the sampling time before the ratio is looked at: 1 to 1,000,000;
     * 100 by default. With less traffic than that the circuit never opens; see {@link CircuitBreakerOptions#advise}.
     */
    public CircuitBreakerBuilder<R> minimumThroughput(int calls) {
        rules.minimumThroughput = calls;
        return this;
    }

    /** How far back outcomes are counted, in tenths that leave the window as a whole: 10 ms to 1 day; 30 s by default. */
    public CircuitBreakerBuilder<R> samplingDuration(Duration duration) {
        rules.samplingDuration = Objects.requireNonNull(duration, "duration");
        return this;
    }

    /**
     * Opens when so many of the last outcomes are failures, in place of a ratio over time. How old an outcome may be to count is said
     * by {@link #withinLast}.
     *
     * @param failures how many must have failed: 1 to {@code ofLast}
     * @param ofLast how many of the last outcomes are looked at: 1 to 1000
     */
    public CircuitBreakerBuilder<R> openAfter(int failures, int ofLast) {
        rules.countFailures = failures;
        rules.countOf = ofLast;
        return this;
    }

    /** How old an outcome may be to count for {@link #openAfter}: 10 ms to 1 day; 1 minute by default. */
    public CircuitBreakerBuilder<R> withinLast(Duration span) {
        rules.countWithin = Objects.requireNonNull(span, "span");
        return this;
    }

    /** Opens when so many calls have failed in a row, 1 to 1,000,000, in place of a ratio over time. */
    public CircuitBreakerBuilder<R> openAfterConsecutive(int failures) {
        rules.consecutiveFailures = failures;
        return this;
    }

    /**
     * Also opens when too many calls are slow, beside the rule for failures; and a probe that is slow has failed.
     *
     * @param threshold how long a call may take without being slow: more than 0, at most 1 day
     * @param ratio the ratio of slow calls that opens the circuit: more than 0, at most 1
     */
    public CircuitBreakerBuilder<R> slowCalls(Duration threshold, double ratio) {
        rules.slowThreshold = Objects.requireNonNull(threshold, "threshold");
        rules.slowRatio = ratio;
        return this;
    }

    /** Takes back {@link #slowCalls}. */
    public CircuitBreakerBuilder<R> withoutSlowCalls() {
        rules.slowThreshold = null;
        rules.slowRatio = null;
        rules.slowMinimumThroughput = null;
        rules.slowSamplingDuration = null;
        return this;
    }

    /** How many calls there must be before the ratio of slow ones is looked at: 1 to 1,000,000; 100 by default. */
    public CircuitBreakerBuilder<R> slowCallMinimumThroughput(int calls) {
        rules.slowMinimumThroughput = calls;
        return this;
    }

    /** How far back calls are counted for the ratio of slow ones: 10 ms to 1 day; 30 s by default. */
    public CircuitBreakerBuilder<R> slowCallSamplingDuration(Duration duration) {
        rules.slowSamplingDuration = Objects.requireNonNull(duration, "duration");
        return this;
    }

    // ---- while it is open

    /** How long an open circuit rejects before a probe is possible: more than 0; 5 s by default. */
    public CircuitBreakerBuilder<R> breakDuration(Duration duration) {
        breakDuration = Objects.requireNonNull(duration, "duration");
        return this;
    }

    /** How the break grows with each reopening in a row, up to {@link #maximumBreakDuration}: not at all by default. */
    public CircuitBreakerBuilder<R> breakGrowth(BreakGrowth growth) {
        breakGrowth = Objects.requireNonNull(growth, "growth");
        return this;
    }

    /**
     * As long as a break can become by growing, or because the dependency asks for it: at least the break duration; by default 5
     * minutes, or the break duration if that is longer.
     */
    public CircuitBreakerBuilder<R> maximumBreakDuration(Duration duration) {
        maximumBreakDuration = Objects.requireNonNull(duration, "duration");
        return this;
    }

    /**
     * Which share of a break is left to chance, so that many callers of one dependency do not all probe at once: 0 to 1; 0 by
     * default. With 0.2 a break lasts from 80 % to 100 % of its length, at the maximum too.
     */
    public CircuitBreakerBuilder<R> breakJitter(double share) {
        breakJitter = share;
        return this;
    }

    /** Reads from the outcome that opens the circuit how long the break must at least be; up to the maximum. */
    @SuppressWarnings("unchecked") // it is shown nothing but outcomes of calls that return R
    public CircuitBreakerBuilder<R> breakDurationFrom(BreakFunction<? super R> function) {
        breakFunction = (BreakFunction<Object>) Objects.requireNonNull(function, "function");
        return this;
    }

    // ---- half-open, and after

    /** How many probes may run at a time: 1 to 1000; 1 by default. */
    public CircuitBreakerBuilder<R> probes(int count) {
        probes = count;
        return this;
    }

    /** How many probes must succeed to close the circuit: 1 to 1000; 1 by default. */
    public CircuitBreakerBuilder<R> successesToClose(int count) {
        successesToClose = count;
        return this;
    }

    /**
     * How long a probe keeps its place: more than 0. A probe that has not ended by then is lost, and the next call probes. By
     * default the longest of the break, one second, and one second more than the timeout inside.
     */
    public CircuitBreakerBuilder<R> probeLease(Duration duration) {
        probeLease = Objects.requireNonNull(duration, "duration");
        return this;
    }

    /**
     * The longest timeout of the work itself, which the default of {@link #probeLease} must outlast: not negative; zero by
     * default. A pipeline sets it to the longest timeout that stands inside the breaker.
     */
    public CircuitBreakerBuilder<R> timeoutInside(Duration limit) {
        timeoutInside = Objects.requireNonNull(limit, "limit");
        return this;
    }

    /** What {@link #timeoutInside(Duration)} was last set to. */
    public Duration timeoutInside() {
        return timeoutInside;
    }

    /**
     * Whether the next call probes at once after a probe that ended in an ignored outcome, such as a cancellation. By default the
     * circuit opens for the same break once more, unless another probe is running or has succeeded.
     */
    public CircuitBreakerBuilder<R> probeAgainWhenInconclusive(boolean again) {
        probesAgainWhenInconclusive = again;
        return this;
    }

    /** Probes in the place of a caller: the first call after the break starts the check, and is itself rejected. */
    public CircuitBreakerBuilder<R> healthCheck(HealthCheck check) {
        healthCheck = Objects.requireNonNull(check, "check");
        return this;
    }

    /** Takes back {@link #healthCheck}. */
    public CircuitBreakerBuilder<R> withoutHealthCheck() {
        healthCheck = null;
        return this;
    }

    /**
     * For how long after closing only a share of the calls is admitted, which grows from a tenth to all of them: not negative; zero,
     * all at once, by default.
     */
    public CircuitBreakerBuilder<R> rampUp(Duration duration) {
        rampUp = Objects.requireNonNull(duration, "duration");
        return this;
    }

    /** Whether the breaker only reports what it would have done, and rejects nothing; false by default. */
    public CircuitBreakerBuilder<R> observeOnly(boolean only) {
        observeOnly = only;
        return this;
    }

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        rules.check(check);
        breakSettings().check(check);
        check.range("probes", probes, 1, RuleSettings.MOST_PROBES)
                .range("successesToClose", successesToClose, 1, RuleSettings.MOST_PROBES);
        if (probeLease != null) {
            check.range("probeLease", probeLease, BreakSettings.SHORTEST, BreakSettings.LONGEST);
        }
        check.range("timeoutInside", timeoutInside, Duration.ZERO, BreakSettings.LONGEST)
                .range("rampUp", rampUp, Duration.ZERO, Duration.ofDays(1));
    }

    /**
     * The settings.
     *
     * @throws dev.recloser.SettingsException when they cannot work; it names all that is wrong
     */
    public CircuitBreakerOptions<R> build() {
        SettingsCheck.throwIfWrong(this::check);
        return new CircuitBreakerOptions<>(this);
    }

    FailureRule failureRule() {
        return rules.failureRule();
    }

    @Nullable
    SlowCallRule slowCallRule() {
        return rules.slowCallRule();
    }

    BreakSettings breakSettings() {
        return new BreakSettings(breakDuration, breakGrowth, maximumBreakDuration, breakJitter, breakFunction);
    }
}
