package dev.recloser.circuitbreaker;

/**
 * What a window has counted.
 *
 * @param calls successes and failures
 * @param failures failures alone
 */
record Tally(long calls, long failures) {

    static final Tally NONE = new Tally(0, 0);
}
