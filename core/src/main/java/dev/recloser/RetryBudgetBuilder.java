package dev.recloser;

import dev.recloser.spi.SettingsCheck;
import dev.recloser.time.TimeSource;
import java.util.Objects;

/** Builds a {@link RetryBudget}. What is wrong is found when it is built, all at once. Not thread-safe. */
public final class RetryBudgetBuilder {

    private static final int HIGHEST_RATIO = 10;
    private static final int HIGHEST = 1_000_000;

    double ratio = RetryBudget.DEFAULT_RATIO;
    double minimumPerSecond = RetryBudget.DEFAULT_MINIMUM_PER_SECOND;
    double maximumSaved = RetryBudget.DEFAULT_MAXIMUM_SAVED;

    /** A builder in which every setting has its default. */
    public RetryBudgetBuilder() {}

    /** How many repeated attempts each call allows: 0 to 10; 0.2 by default. */
    public RetryBudgetBuilder ratio(double attemptsPerCall) {
        ratio = attemptsPerCall;
        return this;
    }

    /**
     * How many repeated attempts each second allows, so that a pipeline with little traffic can retry at all: 0 to 1,000,000; 10 by
     * default.
     */
    public RetryBudgetBuilder minimumPerSecond(double attempts) {
        minimumPerSecond = attempts;
        return this;
    }

    /** How many repeated attempts are saved up at most: 1 to 1,000,000; 100 by default. */
    public RetryBudgetBuilder maximumSaved(double attempts) {
        maximumSaved = attempts;
        return this;
    }

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        range(check, "ratio", ratio, 0, HIGHEST_RATIO);
        range(check, "minimumPerSecond", minimumPerSecond, 0, HIGHEST);
        range(check, "maximumSaved", maximumSaved, 1, HIGHEST);
    }

    private static void range(SettingsCheck check, String setting, double value, int from, int to) {
        check.require(value >= from && value <= to, setting, value, "from " + from + " to " + to);
    }

    /**
     * The budget.
     *
     * @param time the time by which it goes
     * @throws SettingsException when the settings cannot work; it names all that is wrong
     */
    public RetryBudget build(TimeSource time) {
        Objects.requireNonNull(time, "time");
        SettingsCheck.throwIfWrong(this::check);
        return new RetryBudget(this, time);
    }
}
