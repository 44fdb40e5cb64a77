package dev.recloser.hedging;

import java.time.Duration;

/**
 * What there is to see of a hedging at one moment.
 *
 * @param name the name of the hedging
 * @param hedges how many attempts have begun beside others, or at once after they had failed
 * @param overBudget how many did not because the budget was spent
 * @param delay how long the next call waits for its first attempt
 */
public record HedgingSnapshot(String name, long hedges, long overBudget, Duration delay) {}
