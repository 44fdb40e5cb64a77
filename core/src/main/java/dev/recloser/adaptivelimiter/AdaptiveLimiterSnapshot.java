package dev.recloser.adaptivelimiter;

import java.time.Duration;

/**
 * What there is to see of an adaptive limiter at one moment.
 *
 * @param name the name of the limiter
 * @param limit how many calls may run at the same time at this moment
 * @param inFlight calls that are running; for a while after the limit was lowered this can be more than the limit
 * @param lastSamples how many calls the last window that was judged had
 * @param lastWithinGoal which share of them came back within the latency goal; 1 while there was no such window
 * @param lastLatency how long those that came back within the goal took on average; zero while there was no such call
 * @param rejected calls that were rejected since the limiter was made
 */
public record AdaptiveLimiterSnapshot(
        String name,
        int limit,
        int inFlight,
        int lastSamples,
        double lastWithinGoal,
        Duration lastLatency,
        long rejected) {}
