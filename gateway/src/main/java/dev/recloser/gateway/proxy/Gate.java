package dev.recloser.gateway.proxy;

import dev.recloser.CallContext;
import dev.recloser.RetryBudget;
import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.RetryConfig;
import dev.recloser.spi.Admission;
import dev.recloser.time.TimeSource;
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

    Gate(ClusterConfig config, CircuitBreaker breaker, TimeSource time) {
        this.breaker = breaker;
        this.rateLimiter = config.limits()
                .rate()
                .map(rate -> rate.make(config.name(), time))
                .orElse(null);
        this.limiter = config.limits()
                .concurrency()
                .map(limit -> limit.make(config.name(), time))
                .orElse(null);
        this.retryBudget = config.retry().maxRetries() == 0 ? null : budget(config.retry(), time);
        this.context = CallContext.named(config.name());
    }

    private static RetryBudget budget(RetryConfig retry, TimeSource time) {
        return RetryBudget.of(
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
