package dev.recloser.gateway.config;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * When a destination to which requests fail is left out for a time, while the others do well: it is <em>ejected</em>.
 *
 * @param consecutiveFailures so many failures in a row eject it; at least 1
 * @param failureRatio failures by requests within an interval that eject it, more than 0 and at most 1; empty if the ratio does not matter
 * @param minimumThroughput how many requests there must be within the interval before the ratio is looked at; at least 1
 * @param interval how long requests are counted for the ratio, before the counts begin anew
 * @param ejectionTime how long it is ejected the first time; twice as long each time that it fails again soon after its return
 * @param maxEjectionTime how long at most; not shorter than the first time
 * @param maxEjectedRatio how large a part of all destinations may be ejected at a time, more than 0 and at most 1. One may in any case, and
 *     one never is
 * @param slowStart for how long after its return its share grows, to be the full one then; zero for the full one at once
 */
public record OutlierDetectionConfig(
        int consecutiveFailures,
        OptionalDouble failureRatio,
        int minimumThroughput,
        Duration interval,
        Duration ejectionTime,
        Duration maxEjectionTime,
        double maxEjectedRatio,
        Duration slowStart) {

    /** What holds where nothing is configured. */
    public static final OutlierDetectionConfig USUAL = new OutlierDetectionConfig(
            5,
            OptionalDouble.empty(),
            20,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            0.5,
            Duration.ZERO);
}
