package dev.recloser.spi;

import dev.recloser.Classifier;
import dev.recloser.RetryBudget;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the builders of strategies that repeat attempts have in common: the budget that they spend from. Not thread-safe.
 *
 * @param <R> what calls return
 * @param <B> the builder itself
 */
public abstract class RepeatingBuilder<R extends @Nullable Object, B extends RepeatingBuilder<R, B>>
        extends JudgingBuilder<R, B> {

    private @Nullable RetryBudget ownBudget;
    private boolean withoutBudget;

    /** Starts with the given classifier. */
    protected RepeatingBuilder(Classifier<R> classifier) {
        super(classifier);
    }

    /**
     * Bounds the repeated attempts of all calls by this budget, which several strategies and pipelines can share. By default a pipeline
     * has a budget for all its strategies, and a strategy that is made alone has {@linkplain RetryBudget#ofDefaults one of its own}.
     */
    public final B budget(RetryBudget shared) {
        ownBudget = Objects.requireNonNull(shared, "shared");
        withoutBudget = false;
        return self();
    }

    /** Bounds the repeated attempts by no budget, so that an outage multiplies the traffic. */
    public final B withoutBudget() {
        ownBudget = null;
        withoutBudget = true;
        return self();
    }

    /**
     * The budget to spend from.
     *
     * @param otherwise the one to take unless the settings name another one or none; null for none
     */
    protected final @Nullable RetryBudget budgetOr(@Nullable RetryBudget otherwise) {
        return ownBudget == null && !withoutBudget ? otherwise : ownBudget;
    }
}
