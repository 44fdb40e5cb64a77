package dev.recloser.gateway.config;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much of its service a cluster lets clients ask for.
 *
 * @param rate bounds how many requests begin in a time
 * @param concurrency bounds how many are under way, by a fixed or an adaptive limit
 * @param maxRequestBody how many bytes the body of a request may have
 * @param connections bounds how many connections there are
 */
public record LimitsConfig(
        Optional<LimiterConfig> rate,
        Optional<LimiterConfig> concurrency,
        OptionalLong maxRequestBody,
        Optional<ConnectionLimitConfig> connections) {

    /** No limits. */
    public static final LimitsConfig NONE =
            new LimitsConfig(Optional.empty(), Optional.empty(), OptionalLong.empty(), Optional.empty());
}
