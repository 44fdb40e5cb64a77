package dev.recloser.gateway.config;

import dev.recloser.spi.Admission;
import dev.recloser.time.TimeSource;
import java.util.Map;
import java.util.function.BiFunction;

/** A limiter that a cluster is to have. Two are equal when they are of one kind and all their settings are the same. */
public final class LimiterConfig {

    private final Map<String, String> settings;
    private final BiFunction<String, TimeSource, ? extends Admission> maker;
    private final Class<?> kind;

    /**
     * A limiter.
     *
     * @param maker makes it, of its name and the time by which it goes; its settings are known to work
     */
    public LimiterConfig(BiFunction<String, TimeSource, ? extends Admission> maker) {
        Admission example = maker.apply("example", TimeSource.system());
        this.maker = maker;
        this.kind = example.getClass();
        this.settings = example.settings();
    }

    /** The settings by their names. */
    public Map<String, String> settings() {
        return settings;
    }

    /**
     * The limiter.
     *
     * @param name its name
     * @param time the time by which it goes
     */
    public Admission make(String name, TimeSource time) {
        return maker.apply(name, time);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LimiterConfig same && kind == same.kind && settings.equals(same.settings);
    }

    @Override
    public int hashCode() {
        return settings.hashCode();
    }

    @Override
    public String toString() {
        return kind.getSimpleName() + " " + settings;
    }
}
