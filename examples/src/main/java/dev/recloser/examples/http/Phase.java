package dev.recloser.examples.http;

import java.time.Duration;
import java.util.List;

/**
 * A part of the run.
 *
 * @param name what it is called
 * @param fault what is wrong with the service
 * @param callsPerSecond how many calls are made, evenly spread
 * @param length how long it lasts
 */
public record Phase(String name, Fault fault, int callsPerSecond, Duration length) {

    private static final int USUAL = 200;
    private static final int PEAK = 500;

    /** The whole run: a minute. */
    public static List<Phase> all() {
        return List.of(
                new Phase("usual traffic", Fault.NONE, USUAL, Duration.ofSeconds(5)),
                new Phase("peak traffic", Fault.NONE, PEAK, Duration.ofSeconds(7)),
                new Phase("slow", Fault.SLOW, USUAL, Duration.ofSeconds(10)),
                new Phase("recovery", Fault.NONE, USUAL, Duration.ofSeconds(8)),
                new Phase("20 % are 503", Fault.SOME_UNAVAILABLE, USUAL, Duration.ofSeconds(10)),
                new Phase("down", Fault.DOWN, USUAL, Duration.ofSeconds(10)),
                new Phase("recovery", Fault.NONE, USUAL, Duration.ofSeconds(10)));
    }

    /** The same in a third of the time. */
    public static List<Phase> shortened() {
        return List.of(
                new Phase("usual traffic", Fault.NONE, USUAL, Duration.ofSeconds(2)),
                new Phase("peak traffic", Fault.NONE, PEAK, Duration.ofSeconds(2)),
                new Phase("slow", Fault.SLOW, USUAL, Duration.ofSeconds(4)),
                new Phase("recovery", Fault.NONE, USUAL, Duration.ofSeconds(5)),
                new Phase("20 % are 503", Fault.SOME_UNAVAILABLE, USUAL, Duration.ofSeconds(2)),
                new Phase("down", Fault.DOWN, USUAL, Duration.ofSeconds(4)),
                new Phase("recovery", Fault.NONE, USUAL, Duration.ofSeconds(5)));
    }
}
