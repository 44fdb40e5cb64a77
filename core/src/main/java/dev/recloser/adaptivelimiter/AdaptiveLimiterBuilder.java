package dev.recloser.adaptivelimiter;

import dev.recloser.Classifier;
import dev.recloser.spi.JudgingBuilder;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link AdaptiveLimiter}. What is wrong is found when it is built, all at once. Not thread-safe.
 *
 * <p>A failure, to this strategy, is an outcome that says "too much load", however fast it came. By default only a timeout is one.
 * Name what else the dependency says when it has too much to do, such as {@code handleResult(r -> r.statusCode() == 503)}. All other
 * exceptions are ignored: a dependency that is broken answers fast, and must neither raise the limit nor lower it.
 *
 * @param <R> what calls return
 */
public final class AdaptiveLimiterBuilder<R extends @Nullable Object>
        extends JudgingBuilder<R, AdaptiveLimiterBuilder<R>> {

    private static final int MOST = 1_000_000;
    private static final int MOST_SAMPLES = 10_000;
    private static final int DEFAULT_INITIAL = 20;
    private static final int DEFAULT_MAXIMUM = 1000;
    private static final double LOWEST_PERCENTILE = .1;
    private static final double HIGHEST_PERCENTILE = .99;
    private static final double LOWEST_FACTOR = .1;
    private static final double HIGHEST_FACTOR = .99;
    private static final Duration SHORTEST_GOAL = Duration.ofNanos(1);
    private static final Duration LONGEST_GOAL = Duration.ofDays(1);
    private static final Duration SHORTEST_WINDOW = Duration.ofMillis(1);
    private static final Duration LONGEST_WINDOW = Duration.ofHours(1);

    @Nullable
    Duration latencyGoal;

    double percentile = .5;
    int minLimit = 1;
    int maxLimit = DEFAULT_MAXIMUM;

    @Nullable
    private Integer initialLimit;

    Duration window = Duration.ofMillis(100);
    int minimumSamples = 10;
    double decreaseFactor = .9;

    /** Settings that all have their defaults, without a latency goal, which has none. */
    public AdaptiveLimiterBuilder() {
        super(Classifier.<R>defaults().when("nothing but timeouts", error -> false));
    }

    @Override
    protected AdaptiveLimiterBuilder<R> self() {
        return this;
    }

    /**
     * How long a call may take when the dependency has as much to do as it should have: more than 0, at most 1 day. Must be set. It
     * should be clearly more than an idle dependency needs, and clearly less than the timeout; two to four times the former is a good
     * start.
     */
    public AdaptiveLimiterBuilder<R> latencyGoal(Duration goal) {
        latencyGoal = Objects.requireNonNull(goal, "goal");
        return this;
    }

    /** Which share of the calls of a window must be back within the goal: 0.1 to 0.99; 0.5, the median, by default. */
    public AdaptiveLimiterBuilder<R> percentile(double share) {
        percentile = share;
        return this;
    }

    /** As low as the limit can fall: 1 to 1,000,000; 1 by default. */
    public AdaptiveLimiterBuilder<R> minLimit(int calls) {
        minLimit = calls;
        return this;
    }

    /** As high as the limit can rise: {@code minLimit} to 1,000,000; 1000 by default. */
    public AdaptiveLimiterBuilder<R> maxLimit(int calls) {
        maxLimit = calls;
        return this;
    }

    /** The limit at the start: {@code minLimit} to {@code maxLimit}; by default 20, or the bound that is nearer. */
    public AdaptiveLimiterBuilder<R> initialLimit(int calls) {
        initialLimit = calls;
        return this;
    }

    /** How long calls are gathered before they are judged together: 1 ms to 1 hour; 100 ms by default. */
    public AdaptiveLimiterBuilder<R> window(Duration length) {
        window = Objects.requireNonNull(length, "length");
        return this;
    }

    /** How many calls are judged together at least, for which the window grows: 1 to 10,000; 10 by default. */
    public AdaptiveLimiterBuilder<R> minimumSamples(int calls) {
        minimumSamples = calls;
        return this;
    }

    /** By what the limit is multiplied when a window has missed the goal: 0.1 to 0.99; 0.9 by default. */
    public AdaptiveLimiterBuilder<R> decreaseFactor(double factor) {
        decreaseFactor = factor;
        return this;
    }

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        Duration goal = latencyGoal;
        if (goal == null) {
            check.require(false, "latencyGoal", "not set", "from 1 ns to 1 d");
        } else {
            check.range("latencyGoal", goal, SHORTEST_GOAL, LONGEST_GOAL);
        }
        if (initialLimit != null) {
            check.range("initialLimit", initialLimit, minLimit, maxLimit);
        }
        check.require(
                        percentile >= LOWEST_PERCENTILE && percentile <= HIGHEST_PERCENTILE,
                        "percentile",
                        percentile,
                        "from " + LOWEST_PERCENTILE + " to " + HIGHEST_PERCENTILE)
                .range("minLimit", minLimit, 1, MOST)
                .range("maxLimit", maxLimit, minLimit, MOST)
                .range("window", window, SHORTEST_WINDOW, LONGEST_WINDOW)
                .range("minimumSamples", minimumSamples, 1, MOST_SAMPLES)
                .require(
                        decreaseFactor >= LOWEST_FACTOR && decreaseFactor <= HIGHEST_FACTOR,
                        "decreaseFactor",
                        decreaseFactor,
                        "from " + LOWEST_FACTOR + " to " + HIGHEST_FACTOR);
    }

    /**
     * A limiter with these settings.
     *
     * @param name what it is called in rejections, events and metrics
     * @param time the time by which it measures
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public AdaptiveLimiter build(String name, TimeSource time) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(time, "time");
        SettingsCheck.throwIfWrong(this::check);
        return new AdaptiveLimiter(name, this, time);
    }

    int initialLimit() {
        return initialLimit != null ? initialLimit : Math.max(minLimit, Math.min(DEFAULT_INITIAL, maxLimit));
    }

    long goalNanos() {
        return Objects.requireNonNull(latencyGoal, "latencyGoal").toNanos();
    }

    Map<String, String> describe() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("latencyGoal", latencyGoal == null ? "not set" : SettingsCheck.readable(latencyGoal));
        settings.put("percentile", String.valueOf(percentile));
        settings.put("minLimit", String.valueOf(minLimit));
        settings.put("maxLimit", String.valueOf(maxLimit));
        settings.put("initialLimit", String.valueOf(initialLimit()));
        settings.put("window", SettingsCheck.readable(window));
        settings.put("minimumSamples", String.valueOf(minimumSamples));
        settings.put("decreaseFactor", String.valueOf(decreaseFactor));
        settings.put("failuresAre", classifier().toString());
        return Collections.unmodifiableMap(settings);
    }
}
