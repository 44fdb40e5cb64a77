package dev.recloser.concurrencylimiter;

/**
 * What there is to see of a concurrency limiter at one moment. The first two numbers are of the same moment if any call
 * waits.
 *
 * @param name the name of the limiter
 * @param inFlight calls that hold a permit; about how many, if calls begin and end at that moment
 * @param queued calls that wait for one
 * @param maxConcurrent how many permits there are
 * @param rejected calls that found neither a permit nor a place in the queue, since the limiter was made
 * @param gaveUpWaiting calls that left the queue before their turn, since the limiter was made: they had waited for as long as they may,
 *     were cut by a timeout or were cancelled
 */
public record ConcurrencyLimiterSnapshot(
        String name, int inFlight, int queued, int maxConcurrent, long rejected, long gaveUpWaiting) {}
