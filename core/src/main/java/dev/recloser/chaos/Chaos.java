package dev.recloser.chaos;

import dev.recloser.CallContext;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SettingsText;
import dev.recloser.spi.Substitute;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Chaos: delays some calls, and lets some end in an exception or a value without being made, so that one can see whether the rest
 * copes with it. Innermost in a pipeline it stands for a dependency that misbehaves.
 *
 * <p>It is off unless switched on: by hand with {@link #enable}, or by a {@linkplain ChaosBuilder#enabledWhen condition}. What is
 * switched by hand stays so, whatever the condition says. While it is off it makes no object and does nothing to any call.
 *
 * <p>Thread-safe.
 */
public final class Chaos implements Admission {

    private static final Logger LOG = System.getLogger("dev.recloser.chaos");

    private final String name;
    private final double faultBelow;
    private final double outcomeBelow;
    private final double latencyBelow;
    private final @Nullable Supplier<? extends Throwable> fault;
    private final @Nullable Supplier<? extends @Nullable Object> outcome;
    private final Admittance latency;
    private final @Nullable BooleanSupplier enabledWhen;
    private final DoubleSupplier random;
    private final Map<String, String> settings;

    private final AtomicBoolean hasLogged = new AtomicBoolean();
    private final LongAdder delayed = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private final LongAdder outcomes = new LongAdder();

    /** What was decided by hand; null until then. */
    private volatile @Nullable Boolean byHand;

    Chaos(String name, ChaosBuilder<?> builder) {
        this.name = Objects.requireNonNull(name, "name");
        this.faultBelow = builder.faultRate;
        this.outcomeBelow = faultBelow + builder.outcomeRate;
        this.latencyBelow = outcomeBelow + builder.latencyRate;
        this.fault = builder.fault;
        this.outcome = builder.outcome;
        this.latency = builder.latency == null ? Untouched.TICKET : new Latency(builder.latency.toNanos());
        this.enabledWhen = builder.enabledWhen;
        this.random = builder.random;
        this.settings = describe(builder);
    }

    /**
     * A strategy that is switched off, as {@code Chaos.of("chaos", c -> c.latency(0.1, Duration.ofSeconds(2)))}.
     *
     * @param name what it is called in events and metrics
     * @param settings says what is done to how many calls
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public static Chaos of(String name, Consumer<ChaosBuilder<Object>> settings) {
        ChaosBuilder<Object> builder = new ChaosBuilder<>();
        settings.accept(builder);
        return builder.build(name);
    }

    @Override
    public String name() {
        return name;
    }

    /** Switches it on, whatever the condition says. */
    public void enable() {
        byHand = true;
    }

    /** Switches it off, whatever the condition says. */
    public void disable() {
        byHand = false;
    }

    /** Whether it is switched on at this moment. */
    public boolean isEnabled() {
        Boolean decided = byHand;
        if (decided != null) {
            return decided;
        }
        try {
            return enabledWhen != null && enabledWhen.getAsBoolean();
        } catch (Throwable e) {
            log("the condition", e);
            return false;
        }
    }

    private void log(String thrower, Throwable thrown) {
        if (!hasLogged.getAndSet(true)) {
            LOG.log(Logger.Level.WARNING, thrower + " of " + name + " threw, and nothing is done to the call", thrown);
        }
    }

    /** What it has done so far. */
    public ChaosSnapshot snapshot() {
        return new ChaosSnapshot(name, delayed.sum(), faults.sum(), outcomes.sum());
    }

    @Override
    public Admittance acquire(CallContext context) {
        if (!isEnabled()) {
            return Untouched.TICKET;
        }
        double drawn = draw();
        if (drawn < faultBelow) {
            faults.increment();
            return fault();
        }
        if (drawn < outcomeBelow) {
            outcomes.increment();
            return outcome();
        }
        if (drawn < latencyBelow) {
            delayed.increment();
            return latency;
        }
        return Untouched.TICKET;
    }

    /** A number that is beyond all rates if there is none. */
    private double draw() {
        try {
            return random.getAsDouble();
        } catch (Throwable e) {
            log("the source of random numbers", e);
            return Double.POSITIVE_INFINITY;
        }
    }

    private Substitute fault() {
        try {
            Throwable error = Objects.requireNonNull(fault, "fault").get();
            return new Substitute(null, Objects.requireNonNull(error, "the exception of a fault"));
        } catch (Throwable thrown) {
            return new Substitute(null, thrown);
        }
    }

    private Substitute outcome() {
        try {
            return new Substitute(Objects.requireNonNull(outcome, "outcome").get(), null);
        } catch (Throwable thrown) {
            return new Substitute(null, thrown);
        }
    }

    private static Map<String, String> describe(ChaosBuilder<?> builder) {
        Map<String, String> settings = new LinkedHashMap<>();
        Duration delay = builder.latency;
        if (delay != null) {
            settings.put("latency", SettingsCheck.readable(delay) + " at a rate of " + builder.latencyRate);
        }
        if (builder.fault != null) {
            settings.put("fault", "at a rate of " + builder.faultRate);
        }
        if (builder.outcome != null) {
            settings.put("outcome", "at a rate of " + builder.outcomeRate);
        }
        settings.put("enabledWhen", builder.enabledWhen == null ? "by hand" : "a function");
        return Collections.unmodifiableMap(settings);
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public String toString() {
        return SettingsText.of("chaos", this);
    }
}
