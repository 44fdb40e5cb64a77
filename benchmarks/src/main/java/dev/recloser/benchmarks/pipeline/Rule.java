package dev.recloser.benchmarks.pipeline;

import java.time.Duration;

/** The numbers that all pipelines here have. */
final class Rule {

    static final int CONCURRENT = 1000;
    static final int RETRIES = 3;
    static final Duration BACKOFF = Duration.ofSeconds(2);
    static final double FAILURE_RATIO = 0.1;
    static final int FAILURE_PERCENT = 10;
    static final int MINIMUM_THROUGHPUT = 100;
    static final Duration SAMPLING = Duration.ofSeconds(30);
    static final Duration TOTAL = Duration.ofSeconds(30);
    static final Duration ATTEMPT = Duration.ofSeconds(10);

    private Rule() {}
}
