package dev.recloser.concurrencylimiter;

import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import java.util.Objects;

/**
 * Builds a {@link ConcurrencyLimiter}. What is wrong is found when it is built, all at once. Not thread-safe.
 */
public final class ConcurrencyLimiterBuilder {

    private static final int MOST = 1_000_000;
    private static final Duration SHORTEST = Duration.ofNanos(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    int maxConcurrent = 1000;
    int queue;
    Duration maxWait = LONGEST;

    /** Settings that all have their defaults. */
    public ConcurrencyLimiterBuilder() {}

    /** How many calls may run at the same time: 1 to 1,000,000; 1000 by default. */
    public ConcurrencyLimiterBuilder maxConcurrent(int calls) {
        maxConcurrent = calls;
        return this;
    }

    /** How many calls may wait for others to end: 0 to 1,000,000; 0 by default. The first to come is the first to run. */
    public ConcurrencyLimiterBuilder queue(int places) {
        queue = places;
        return this;
    }

    /** How long a call may wait in the queue before it is rejected: more than 0, at most 1 day, which is the default. */
    public ConcurrencyLimiterBuilder maxWait(Duration longest) {
        maxWait = Objects.requireNonNull(longest, "longest");
        return this;
    }

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        check.range("maxConcurrent", maxConcurrent, 1, MOST)
                .range("queue", queue, 0, MOST)
                .range("maxWait", maxWait, SHORTEST, LONGEST);
    }

    /**
     * A limiter with these settings. It needs no time source: the drivers watch how long a call waits.
     *
     * @param name what it is called in rejections, events and metrics
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public ConcurrencyLimiter build(String name) {
        Objects.requireNonNull(name, "name");
        SettingsCheck.throwIfWrong(this::check);
        return new ConcurrencyLimiter(name, this);
    }
}
