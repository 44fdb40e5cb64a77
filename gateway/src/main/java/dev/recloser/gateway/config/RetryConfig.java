package dev.recloser.gateway.config;

import dev.recloser.RetryBudget;
import java.util.Set;

/**
 * Which requests are tried again after they have reached a service. All of it holds for requests only that ask for no change and have
 * no body.
 *
 * @param maxRetries how often at most, after the first attempt; 0 for never
 * @param statuses the answers that are not passed on while another attempt is possible
 * @param budgetRatio retries that each request allows
 * @param budgetMinimumPerSecond retries that each second allows
 * @param budgetMaximumSaved retries that are saved up at most
 */
public record RetryConfig(
        int maxRetries,
        Set<Integer> statuses,
        double budgetRatio,
        double budgetMinimumPerSecond,
        double budgetMaximumSaved) {

    /** Nothing is tried again. */
    public static final RetryConfig NONE = new RetryConfig(
            0,
            Set.of(),
            RetryBudget.DEFAULT_RATIO,
            RetryBudget.DEFAULT_MINIMUM_PER_SECOND,
            RetryBudget.DEFAULT_MAXIMUM_SAVED);

    /** A setting with a copy of the statuses. */
    public RetryConfig {
        statuses = Set.copyOf(statuses);
    }
}
