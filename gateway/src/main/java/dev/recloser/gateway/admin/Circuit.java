package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.config.ClusterConfig;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the admin server shows of a cluster.
 *
 * @param cluster how it is configured
 * @param breaker its breaker
 * @param requests how many requests have ended in each way, by reason
 * @param inFlight how many requests are under way
 */
record Circuit(
        ClusterConfig cluster, CircuitBreaker breaker, Supplier<Map<String, Long>> requests, LongSupplier inFlight) {}
