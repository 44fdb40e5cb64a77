package dev.recloser.timeout;

import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Timeout}. Either a limit or a function that gives one must be set. Not thread-safe. */
public final class TimeoutBuilder {

    private static final String LIMIT = "limit";
    private static final String LIMIT_FROM = "limitFrom";

    static final Duration SHORTEST = Duration.ofNanos(1);
    static final Duration LONGEST = Duration.ofDays(1);

    @Nullable
    Duration limit;

    @Nullable
    LimitFunction limitFrom;

    boolean detached;

    /** A builder in which nothing is set. */
    public TimeoutBuilder() {}

    /** The limit: more than 0, at most 1 day. */
    public TimeoutBuilder limit(Duration value) {
        limit = Objects.requireNonNull(value, "value");
        return this;
    }

    /** A limit for each call, in the place of a fixed one. */
    public TimeoutBuilder limitFrom(LimitFunction function) {
        limitFrom = Objects.requireNonNull(function, "function");
        return this;
    }

    /**
     * Runs the work of blocking calls on another thread, a virtual one where the JDK has them. Then the caller is free when the time
     * is over, even if the work does not react to its interrupt; otherwise it is free as soon as the work reacts. What the work
     * reads from its own thread, such as thread-locals, is not that of the caller's. Off by default; stages need it never.
     */
    public TimeoutBuilder detached() {
        detached = true;
        return this;
    }

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        List<String> set = new ArrayList<>();
        if (limit != null) {
            set.add(LIMIT);
        }
        if (limitFrom != null) {
            set.add(LIMIT_FROM);
        }
        check.exactlyOne(List.of(LIMIT, LIMIT_FROM), set);
        if (limit != null) {
            check.range(LIMIT, limit, SHORTEST, LONGEST);
        }
    }

    /**
     * The timeout.
     *
     * @param name what it is called in rejections, events and metrics
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public Timeout build(String name) {
        SettingsCheck.throwIfWrong(this::check);
        return new Timeout(name, this);
    }
}
