package dev.recloser.chaos;

import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Chaos}. What is wrong is found when it is built, all at once. At least one of {@link #latency}, {@link #fault} and
 * {@link #outcome} must be given. One random number decides what happens to a call, so at most one of them does, and their rates
 * together are at most 1. Not thread-safe.
 *
 * @param <R> what calls return
 */
public final class ChaosBuilder<R extends @Nullable Object> {

    private static final Duration SHORTEST = Duration.ofNanos(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    /** What a sum of rates such as 0.1, 0.2 and 0.7 may be off. */
    private static final double ROUNDING = 1e-9;

    double latencyRate;
    double faultRate;
    double outcomeRate;

    @Nullable
    Duration latency;

    @Nullable
    Supplier<? extends Throwable> fault;

    @Nullable
    Supplier<? extends @Nullable Object> outcome;

    @Nullable
    BooleanSupplier enabledWhen;

    DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();

    /** A builder that still has to be told what to do to calls. */
    public ChaosBuilder() {}

    /**
     * Delays some calls. The delay counts as part of the call: a timeout further out cuts it, and who measures the call measures it too.
     *
     * @param rate how many of all calls: 0 to 1
     * @param delay by how much: more than 0, at most 1 day
     */
    public ChaosBuilder<R> latency(double rate, Duration delay) {
        latencyRate = rate;
        latency = Objects.requireNonNull(delay, "delay");
        return this;
    }

    /**
     * Lets some calls fail without being made.
     *
     * @param rate how many of all calls: 0 to 1
     * @param exception makes the exception for each; if it throws, what it throws is the exception
     */
    public ChaosBuilder<R> fault(double rate, Supplier<? extends Throwable> exception) {
        faultRate = rate;
        fault = Objects.requireNonNull(exception, "exception");
        return this;
    }

    /**
     * Lets some calls end in a value without being made.
     *
     * @param rate how many of all calls: 0 to 1
     * @param value makes the value for each; if it throws, the call ends in what it throws
     */
    public ChaosBuilder<R> outcome(double rate, Supplier<? extends R> value) {
        outcomeRate = rate;
        outcome = Objects.requireNonNull(value, "value");
        return this;
    }

    /**
     * When it is switched on, as long as nobody has switched it by hand: asked for every call, so it should be quick. If it throws, that
     * counts as off, and is logged once. By default it is off.
     */
    public ChaosBuilder<R> enabledWhen(BooleanSupplier condition) {
        enabledWhen = Objects.requireNonNull(condition, "condition");
        return this;
    }

    /**
     * Where the numbers that decide come from, for tests: numbers from 0 to 1, 1 excluded. May be asked by many threads. If it throws,
     * nothing is done to the call, and that is logged once.
     */
    public ChaosBuilder<R> random(DoubleSupplier source) {
        random = Objects.requireNonNull(source, "source");
        return this;
    }

    /** Finds what is wrong with these settings. */
    public void check(SettingsCheck check) {
        check.require(
                latency != null || fault != null || outcome != null, "latency or fault or outcome", "not set", "set");
        rate(check, "latency", latencyRate);
        if (latency != null) {
            check.range("latency delay", latency, SHORTEST, LONGEST);
        }
        rate(check, "fault", faultRate);
        rate(check, "outcome", outcomeRate);
        double sum = latencyRate + faultRate + outcomeRate;
        check.require(!(sum > 1 + ROUNDING), "sum of rates", sum, "at most 1");
    }

    private static void rate(SettingsCheck check, String kind, double rate) {
        check.require(rate >= 0 && rate <= 1, kind + " rate", rate, "from 0 to 1");
    }

    /**
     * The strategy, switched off.
     *
     * @param name what it is called in events and metrics
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public Chaos build(String name) {
        SettingsCheck.throwIfWrong(this::check);
        return new Chaos(name, this);
    }
}
