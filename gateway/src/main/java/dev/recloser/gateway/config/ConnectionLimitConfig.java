package dev.recloser.gateway.config;

import java.time.Duration;

/**
 * How many connections there may be to the service, and who waits for one.
 *
 * @param perDestination how many to each destination, those of all event loops together; at least 1
 * @param queue how many requests may wait for one, whatever the destination; 0 for none
 * @param maxWait how long each of them waits at most
 */
public record ConnectionLimitConfig(int perDestination, int queue, Duration maxWait) {}
