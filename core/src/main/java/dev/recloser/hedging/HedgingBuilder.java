package dev.recloser.hedging;

import dev.recloser.Classifier;
import dev.recloser.RetryBudget;
import dev.recloser.spi.RepeatingBuilder;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Hedging}. Which outcomes are failures it says as other strategies do; a failed attempt is followed by the next one
 * at once. Not thread-safe.
 *
 * @param <R> what calls return
 */
public final class HedgingBuilder<R extends @Nullable Object> extends RepeatingBuilder<R, HedgingBuilder<R>> {

    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int MOST = 10;

    int maxHedges = 1;
    Duration delay = Duration.ofSeconds(1);

    @Nullable
    Double percentile;

    /** A builder in which every setting has its default. */
    public HedgingBuilder() {
        super(Classifier.defaults());
    }

    @Override
    protected HedgingBuilder<R> self() {
        return this;
    }

    /** How many attempts may begin beside the first: from 1 to 10, by default 1. */
    public HedgingBuilder<R> maxHedges(int count) {
        maxHedges = count;
        return this;
    }

    /** How long to wait for the attempts that are running before another begins: from 0, all at once, to 1 day; by default 1 s. */
    public HedgingBuilder<R> delay(Duration wait) {
        delay = Objects.requireNonNull(wait, "wait");
        return this;
    }

    /**
     * Waits, in the place of a fixed delay, as long as this share of the first attempts took of late, so that about the rest of them is hedged: with 0.95 one call in
     * twenty. Of the last 1000 to 2000 calls; until 100 are known, the {@link #delay} is waited for.
     *
     * @param share more than 0, less than 1
     */
    public HedgingBuilder<R> percentile(double share) {
        percentile = share;
        return this;
    }

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        check.range("maxHedges", maxHedges, 1, MOST).range("delay", delay, Duration.ZERO, LONGEST);
        if (percentile != null) {
            check.require(percentile > 0 && percentile < 1, "percentile", percentile, "more than 0 and less than 1");
        }
    }

    /**
     * Hedging by itself, with a budget of its own unless these settings say otherwise.
     *
     * @param name what it is called in events and metrics
     * @param time the time by which its budget goes
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public Hedging build(String name, TimeSource time) {
        return build(name, RetryBudget.ofDefaults(time));
    }

    /**
     * The hedging of a pipeline.
     *
     * @param name what it is called in events and metrics
     * @param ofPipeline the budget to spend from unless these settings name another one or none; null for none
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public Hedging build(String name, @Nullable RetryBudget ofPipeline) {
        SettingsCheck.throwIfWrong(this::check);
        return new Hedging(name, this, budgetOr(ofPipeline));
    }
}
