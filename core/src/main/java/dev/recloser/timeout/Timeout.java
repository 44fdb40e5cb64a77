package dev.recloser.timeout;

import dev.recloser.CallContext;
import dev.recloser.spi.Deadline;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SettingsText;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A timeout: bounds what stands inside it, from the moment at which it is entered. A blocking call is interrupted when its time is
 * over, and ends as soon as its work reacts, or at once if the timeout is {@linkplain TimeoutBuilder#detached() detached}; a stage is
 * cancelled, and its caller freed at once. All end in a {@link dev.recloser.TimedOutException}, also when the work comes to a value
 * after its time.
 *
 * <p>The interrupt is taken back when the call ends. One that comes from outside is kept, unless the timeout fires before the work has
 * ended because of it: then the two cannot be told apart, and both are taken back.
 *
 * <p>Immutable and thread-safe.
 */
public final class Timeout implements Deadline {

    private static final String DEFAULT_NAME = "timeout";

    private final String name;
    private final long fixedNanos;
    private final @Nullable LimitFunction limitFrom;
    private final boolean detached;

    Timeout(String name, TimeoutBuilder builder) {
        this.name = Objects.requireNonNull(name, "name");
        this.fixedNanos = builder.limit == null ? 0 : builder.limit.toNanos();
        this.limitFrom = builder.limitFrom;
        this.detached = builder.detached;
    }

    /**
     * A timeout of a fixed length, called {@code timeout}.
     *
     * @param limit more than 0, at most 1 day
     * @throws dev.recloser.SettingsException when it is not
     */
    public static Timeout of(Duration limit) {
        return of(DEFAULT_NAME, t -> t.limit(limit));
    }

    /**
     * A timeout with settings of its own, as {@code Timeout.of("query", t -> t.limit(Duration.ofSeconds(2)).detached())}.
     *
     * @param name what it is called in rejections, events and metrics
     * @param settings sets the limit, and changes what is not to have its default
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public static Timeout of(String name, Consumer<TimeoutBuilder> settings) {
        TimeoutBuilder builder = new TimeoutBuilder();
        settings.accept(builder);
        return builder.build(name);
    }

    @Override
    public String name() {
        return name;
    }

    /** The limit; empty if each call has its own. */
    public Optional<Duration> limit() {
        return limitFrom == null ? Optional.of(Duration.ofNanos(fixedNanos)) : Optional.empty();
    }

    @Override
    public OptionalLong knownLimitNanos() {
        return limitFrom == null ? OptionalLong.of(fixedNanos) : OptionalLong.empty();
    }

    @Override
    public boolean isDetached() {
        return detached;
    }

    @Override
    public long limitNanos(CallContext context) {
        return limitFrom == null ? fixedNanos : ownLimit(limitFrom, context);
    }

    private long ownLimit(LimitFunction function, CallContext context) {
        Duration limit = function.limitOf(context);
        if (limit == null) {
            throw new NullPointerException(context.pipeline() + "." + name + ": limitFrom gave no limit but null");
        }
        SettingsCheck.throwIfWrong(check -> check.in(context.pipeline() + "." + name)
                .range("limitFrom", limit, TimeoutBuilder.SHORTEST, TimeoutBuilder.LONGEST));
        return limit.toNanos();
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("limit", limit().map(SettingsCheck::readable).orElse("a function"));
        settings.put("detached", String.valueOf(detached));
        return Collections.unmodifiableMap(settings);
    }

    @Override
    public String toString() {
        return SettingsText.of("timeout", this);
    }
}
