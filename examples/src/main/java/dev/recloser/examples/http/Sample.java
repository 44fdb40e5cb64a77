package dev.recloser.examples.http;

import dev.recloser.circuitbreaker.CircuitState;
import java.time.Duration;

/**
 * What happened within {@link #LENGTH}.
 *
 * @param fromMillis when it began, in milliseconds from the start of the run
 * @param offered calls that were made
 * @param answered calls that ended in an answer with 200
 * @param failed calls that ended in another answer, or in a failure
 * @param rejectedByCircuit calls that ended because the circuit was open, or let only a share of them in
 * @param rejectedByLimiter calls that ended because the limiter had no permit
 * @param attempts how often the client tried to reach the service
 * @param reached requests that reached the service
 * @param mostInFlight attempts at a time, at most
 * @param circuit the state of the circuit at the end
 */
public record Sample(
        long fromMillis,
        long offered,
        long answered,
        long failed,
        long rejectedByCircuit,
        long rejectedByLimiter,
        long attempts,
        long reached,
        int mostInFlight,
        CircuitState circuit) {

    /** How long a sample is. */
    public static final Duration LENGTH = Duration.ofMillis(250);

    /** How many calls ended. */
    public long ended() {
        return answered + failed + rejectedByCircuit + rejectedByLimiter;
    }

    /** A number of this sample, by the second. */
    static double perSecond(long number) {
        return number * 1000.0 / LENGTH.toMillis();
    }

    /** When it ended, in milliseconds from the start of the run. */
    long toMillis() {
        return fromMillis + LENGTH.toMillis();
    }
}
