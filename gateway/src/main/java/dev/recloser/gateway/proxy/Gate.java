package dev.recloser.gateway.proxy;

import dev.recloser.CallContext;
import dev.recloser.RetryBudget;
import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.LimiterConfig;
import dev.recloser.gateway.config.LimitsConfig;
import dev.recloser.gateway.config.RetryConfig;
import dev.recloser.spi.Admission;
import dev.recloser.time.TimeSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that a request must pass on its way into a cluster, and the budget of those that go a second time. Thread-safe. */
final class Gate {

    final CircuitBreaker breaker;
    final @Nullable Admission rateLimiter;
    final @Nullable Admission limiter;

    /** Null when nothing is tried again. */
    final @Nullable RetryBudget retryBudget;

    /** What the limiters see of a request. */
    final CallContext context;

    private final LimitsConfig limits;
    private final RetryConfig retry;

    /**
     * The gate for a configuration. What is configured as before is taken over with its state.
     *
     * @param before the gate so far, if there is one
     */
    Gate(ClusterConfig config, CircuitBreaker breaker, @Nullable Gate before, TimeSource time) {
        this.limits = config.limits();
        this.retry = config.retry();
        this.breaker = breaker;
        this.context = CallContext.named(config.name());
        this.rateLimiter = before != null && before.limits.rate().equals(limits.rate())
                ? before.rateLimiter
                : made(limits.rate(), time);
        this.limiter = before != null && before.limits.concurrency().equals(limits.concurrency())
                ? before.limiter
                : made(limits.concurrency(), time);
        this.retryBudget = before != null && before.retry.equals(retry) ? before.retryBudget : budget(retry, time);
    }

    private @Nullable Admission made(Optional<LimiterConfig> limiter, TimeSource time) {
        return limiter.map(config -> config.make(breaker.name(), time)).orElse(null);
    }

    private static @Nullable RetryBudget budget(RetryConfig retry, TimeSource time) {
        return retry.maxRetries() == 0
                ? null
                : RetryBudget.of(
                        budget -> budget.ratio(retry.budgetRatio())
                                .minimumPerSecond(retry.budgetMinimumPerSecond())
                                .maximumSaved(retry.budgetMaximumSaved()),
                        time);
    }

    /**
     * Whether the limiter wants to know how long the service takes to begin to answer; how fast the client then takes the answer says
     * nothing of the service.
     */
    boolean measuresService() {
        return limiter instanceof AdaptiveLimiter;
    }
}
