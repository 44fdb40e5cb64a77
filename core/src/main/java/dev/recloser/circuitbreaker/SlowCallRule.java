package dev.recloser.circuitbreaker;

import java.time.Duration;

/**
 * When slow calls open a circuit, beside its {@link FailureRule}. A slow call is one that took longer than the threshold, whether it
 * succeeded or failed; a probe that is slow has failed.
 *
 * @param threshold how long a call may take without being slow: more than 0, at most 1 day
 * @param ratio slow calls by calls: more than 0, at most 1
 * @param minimumThroughput how many calls there must be within the sampling time: 1 to 1,000,000
 * @param samplingDuration how far back calls are counted: 10 ms to 1 day
 */
public record SlowCallRule(Duration threshold, double ratio, int minimumThroughput, Duration samplingDuration) {

    FailureRule.Ratio asRatio() {
        return new FailureRule.Ratio(ratio, minimumThroughput, samplingDuration);
    }
}
