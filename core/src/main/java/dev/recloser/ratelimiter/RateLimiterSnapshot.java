package dev.recloser.ratelimiter;

/**
 * What there is to see of a rate limiter at one moment.
 *
 * @param name the name of the rate limiter
 * @param available how many calls could begin at this moment
 * @param waiting how many calls have a permit for a time that has not come
 * @param admitted permits given since the limiter was made, for at once or for later
 * @param unused of those, the ones that were given back because the call never began
 * @param rejected calls rejected since the limiter was made
 */
public record RateLimiterSnapshot(String name, int available, int waiting, long admitted, long unused, long rejected) {}
