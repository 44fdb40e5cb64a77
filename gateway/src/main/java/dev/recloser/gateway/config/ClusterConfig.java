package dev.recloser.gateway.config;

import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A service: where it is, and how it is guarded.
 *
 * @param name the name
 * @param destinations where instances of the service listen; at least one
 * @param connectTimeout how long a connection to a destination may take
 * @param timeout from the last byte of the request to the headers of the response
 * @param idleTimeout how long the service may be silent in the middle of a response
 * @param totalTimeout from the headers of the request to the end of the response, if that is bounded
 * @param limits how many requests there may be, and how large
 * @param retry which requests are tried again
 * @param circuitBreaker the settings of the breaker; what follows for them from the other settings and from how the gateway uses it,
 *     is put into them here
 * @param balancing how requests are shared among the destinations
 * @param upstream what is spoken with its destinations
 */
public record ClusterConfig(
        String name,
        List<DestinationConfig> destinations,
        Duration connectTimeout,
        Duration timeout,
        Duration idleTimeout,
        Optional<Duration> totalTimeout,
        LimitsConfig limits,
        RetryConfig retry,
        CircuitBreakerOptions<Object> circuitBreaker,
        BalancingConfig balancing,
        UpstreamConfig upstream) {

    /** A cluster with a copy of the list. */
    public ClusterConfig {
        destinations = List.copyOf(destinations);
        // A probe can wait for a connection, and try each destination before one takes its request; and a client that
        // leaves
        // must not keep the circuit open.
        Duration wait = limits.connections().map(ConnectionLimitConfig::maxWait).orElse(Duration.ZERO);
        Duration untilHeaders =
                connectTimeout.multipliedBy(destinations.size()).plus(wait).plus(timeout);
        Duration call =
                totalTimeout.filter(total -> total.compareTo(untilHeaders) < 0).orElse(untilHeaders);
        Duration longestCall = balancing
                .healthCheck()
                .map(HealthCheckConfig::timeout)
                .filter(check -> check.compareTo(call) > 0)
                .orElse(call);
        circuitBreaker = circuitBreaker.toBuilder()
                .timeoutInside(longestCall)
                .probeAgainWhenInconclusive(true)
                .build();
    }

    /** Whether every setting is the same. All of them stand in the text; those of a breaker have no other way to be compared. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof ClusterConfig that && toString().equals(that.toString()));
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }
}
