package dev.recloser.circuitbreaker;

import java.time.Duration;

/**
 * When failures open a circuit. A breaker has one rule. The condition is looked at after every outcome that is recorded, so it does
 * not matter which of them completes it.
 */
public sealed interface FailureRule {

    /**
     * A ratio over time: opens when there were enough calls within the sampling time, and enough of them failed.
     *
     * @param ratio failures by calls: more than 0, at most 1
     * @param minimumThroughput how many calls there must be: 1 to 1,000,000
     * @param samplingDuration how far back calls are counted: 10 ms to 1 day
     */
    record Ratio(double ratio, int minimumThroughput, Duration samplingDuration) implements FailureRule {

        boolean opens(long calls, long failures) {
            return failures > 0 && hasThroughput(calls) && (double) failures / calls >= ratio;
        }

        /** From here on successes can only lower the ratio. */
        boolean hasThroughput(long calls) {
            return calls >= minimumThroughput;
        }
    }

    /**
     * A count: opens when so many of the last outcomes are failures, those apart that are older than the span.
     *
     * @param failures how many must have failed: 1 to {@code of}
     * @param of how many of the last outcomes are looked at: 1 to 1000
     * @param within how old an outcome may be to count: 10 ms to 1 day
     */
    record Count(int failures, int of, Duration within) implements FailureRule {}

    /**
     * A row: opens when so many calls have failed one after another.
     *
     * @param failures how many: 1 to 1,000,000
     */
    record Consecutive(int failures) implements FailureRule {}
}
