package dev.recloser.benchmarks.breaker;

import java.time.Duration;

/** The rule that all breakers here have: a tenth of at least a hundred calls within half a minute failed. */
final class Rule {

    static final double FAILURE_RATIO = 0.1;
    static final int FAILURE_PERCENT = 10;
    static final int MINIMUM_THROUGHPUT = 100;
    static final Duration SAMPLING = Duration.ofSeconds(30);

    /** So long that a breaker that was opened rejects until the benchmark is over. */
    static final Duration BREAK = Duration.ofDays(1);

    /** For the rules that look at a number of outcomes: as many as Resilience4j's window of a count holds by default. */
    static final int COUNT_OF = 100;

    static final int COUNT_FAILURES = 10;

    private Rule() {}
}
