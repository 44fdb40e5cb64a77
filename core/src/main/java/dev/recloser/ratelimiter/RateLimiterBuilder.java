package dev.recloser.ratelimiter;

import dev.recloser.spi.SettingsCheck;
import dev.recloser.time.TimeSource;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link RateLimiter}. What is wrong is found when it is built, all at once.
 *
 * <p>There are two kinds, and one of them must be chosen: {@link #tokenBucket} or {@link #slidingWindow}. Not thread-safe.
 */
public final class RateLimiterBuilder {

    private static final String TOKEN_BUCKET = "tokenBucket";
    private static final String SLIDING_WINDOW = "slidingWindow";
    private static final Duration SHORTEST = Duration.ofNanos(1000);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int MOST_PERMITS = 1_000_000_000;
    private static final int HIGHEST_LIMIT = 100_000;

    /** So that times can be compared. */
    private static final Duration LONGEST_FILLING = Duration.ofDays(36_500);

    private @Nullable Integer permits;
    private Duration per = LONGEST;
    private @Nullable Integer burst;
    private @Nullable Integer limit;
    private Duration span = LONGEST;
    private Duration maxWait = Duration.ZERO;

    /** A builder without a kind, which must be chosen. */
    public RateLimiterBuilder() {}

    /**
     * A bucket of permits that is filled at a steady rate: one permit every {@code per / permits}. It starts full, and holds
     * {@link #burst} permits.
     *
     * @param newPermits how many permits are added: 1 to 1,000,000,000, and no more than one in a nanosecond
     * @param newPer in which time: 1 µs to 1 day
     */
    public RateLimiterBuilder tokenBucket(int newPermits, Duration newPer) {
        permits = newPermits;
        per = Objects.requireNonNull(newPer, "newPer");
        return this;
    }

    /**
     * How many permits a token bucket holds, and so how many calls can begin at once after a quiet time: 1 to 1,000,000,000, and no
     * more than are added in 100 years; as many as are added in {@code per} by default.
     */
    public RateLimiterBuilder burst(int newBurst) {
        burst = newBurst;
        return this;
    }

    /**
     * At most so many calls in any span of this length, wherever it begins. The times of that many calls are remembered, 8 bytes each.
     *
     * @param newLimit how many calls: 1 to 100,000
     * @param newSpan in which time: 1 µs to 1 day; the span includes its beginning and not its end
     */
    public RateLimiterBuilder slidingWindow(int newLimit, Duration newSpan) {
        limit = newLimit;
        span = Objects.requireNonNull(newSpan, "newSpan");
        return this;
    }

    /**
     * How long a call may wait for its permit: 0 to 1 day; 0, it is rejected at once, by default. A call waits only if its permit will
     * be there within this time and before its deadline; otherwise it is rejected without waiting.
     */
    public RateLimiterBuilder maxWait(Duration newMaxWait) {
        maxWait = Objects.requireNonNull(newMaxWait, "newMaxWait");
        return this;
    }

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        List<String> chosen = new ArrayList<>();
        if (permits != null) {
            chosen.add(TOKEN_BUCKET);
        }
        if (limit != null) {
            chosen.add(SLIDING_WINDOW);
        }
        check.exactlyOne(List.of(TOKEN_BUCKET, SLIDING_WINDOW), chosen);
        if (permits != null) {
            check.range(TOKEN_BUCKET + " permits", permits, 1, mostPermits())
                    .range(TOKEN_BUCKET + " per", per, SHORTEST, LONGEST);
        }
        if (burst != null) {
            checkBurst(check, burst);
        }
        if (limit != null) {
            check.range(SLIDING_WINDOW + " limit", limit, 1, HIGHEST_LIMIT)
                    .range(SLIDING_WINDOW + " span", span, SHORTEST, LONGEST);
        }
        check.range("maxWait", maxWait, Duration.ZERO, LONGEST);
    }

    private void checkBurst(SettingsCheck check, int held) {
        if (permits == null) {
            check.require(false, "burst", held, "set together with " + TOKEN_BUCKET);
        } else {
            check.range("burst", held, 1, mostBurst(permits));
        }
    }

    private int heldAtMost(int added) {
        return burst == null ? added : burst;
    }

    private static boolean isWithin(Duration duration) {
        return duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0;
    }

    private long mostPermits() {
        return isWithin(per) ? Math.min(MOST_PERMITS, per.toNanos()) : MOST_PERMITS;
    }

    private long mostBurst(int added) {
        if (!isWithin(per) || added < 1) {
            return MOST_PERMITS;
        }
        return BigInteger.valueOf(LONGEST_FILLING.toNanos())
                .multiply(BigInteger.valueOf(added))
                .divide(BigInteger.valueOf(per.toNanos()))
                .min(BigInteger.valueOf(MOST_PERMITS))
                .longValueExact();
    }

    /**
     * The rate limiter.
     *
     * @param name its name, in rejections and metrics
     * @param time the time by which it goes
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public RateLimiter build(String name, TimeSource time) {
        Objects.requireNonNull(name, "name");
        SettingsCheck.throwIfWrong(this::check);
        return new RateLimiter(name, schedule(time.nanoTime()), maxWait, settings(), time);
    }

    private Schedule schedule(long now) {
        if (permits != null) {
            return new TokenBucket(Refill.of(permits, per.toNanos(), heldAtMost(permits)), now);
        }
        return new SlidingWindow(Objects.requireNonNull(limit), span.toNanos());
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (permits != null) {
            settings.put(TOKEN_BUCKET, permits + " per " + SettingsCheck.readable(per));
            settings.put("burst", String.valueOf(heldAtMost(permits)));
        } else {
            settings.put(SLIDING_WINDOW, limit + " in any " + SettingsCheck.readable(span));
        }
        settings.put("maxWait", SettingsCheck.readable(maxWait));
        return Collections.unmodifiableMap(settings);
    }
}
