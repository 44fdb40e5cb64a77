package dev.recloser.spi;

import dev.recloser.RetryBudget;
import java.util.Optional;

/**
 * A {@link Continuation} or {@link Race} that repeats attempts and spends from a {@link RetryBudget} for each. Its {@code entered()}
 * tells the budget of the call and does nothing else: in a pipeline with several of them it may not be asked. Then the outermost
 * counts for the budgets of all, so that no budget takes an attempt for a call, or one call for two.
 */
public interface SpendsBudget {

    /** The budget that it spends from, if there is one. */
    Optional<RetryBudget> budget();
}
