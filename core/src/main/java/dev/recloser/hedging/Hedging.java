package dev.recloser.hedging;

import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.RetryBudget;
import dev.recloser.spi.Race;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SettingsText;
import dev.recloser.spi.SpendsBudget;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hedging: when a call takes long, the same is tried again beside it, and the first success counts. It trades a little more traffic for
 * much shorter waits where a few calls in a hundred are slow by bad luck. The others are cancelled, and nobody waits for them; if
 * all fail, the caller gets the first failure.
 *
 * <p>Attempts may run at the same time, so the work must be safe to run twice, and safe to run on several threads: those of blocking
 * calls run on threads of the engine's. Work for which that is not so is called through {@link dev.recloser.Pipeline#once}. See Dean and
 * Barroso, The Tail at Scale, 2013.
 *
 * <p>Thread-safe.
 */
public final class Hedging implements Race, SpendsBudget {

    private final String name;
    private final int maxHedges;
    private final long delayNanos;
    private final @Nullable Latencies latencies;
    private final @Nullable RetryBudget budget;
    private final Classifier<Object> classifier;
    private final Map<String, String> settings;

    private final LongAdder hedged = new LongAdder();
    private final LongAdder overBudget = new LongAdder();

    @SuppressWarnings("unchecked") // the pipeline shows it nothing but what the work returned
    Hedging(String name, HedgingBuilder<?> builder, @Nullable RetryBudget budget) {
        this.name = Objects.requireNonNull(name, "name");
        this.maxHedges = builder.maxHedges;
        this.delayNanos = builder.delay.toNanos();
        this.latencies = builder.percentile == null ? null : new Latencies(builder.percentile);
        this.budget = budget;
        this.classifier = (Classifier<Object>) builder.classifier();
        this.settings = describe(builder, budget);
    }

    /**
     * Hedging with settings and a budget of its own, as {@code Hedging.of("search", h -> h.delay(Duration.ofMillis(50)))}.
     *
     * @param name what it is called in events and metrics
     * @param settings changes what is not to have its default
     * @param <R> what the calls return whose results are judged
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public static <R extends @Nullable Object> Hedging of(String name, Consumer<HedgingBuilder<R>> settings) {
        return of(name, settings, TimeSource.system());
    }

    /**
     * The same with the given time, for tests.
     *
     * @param name what it is called in events and metrics
     * @param settings changes what is not to have its default
     * @param time the time, such as a {@linkplain dev.recloser.time.VirtualTime virtual one}
     * @param <R> what the calls return whose results are judged
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public static <R extends @Nullable Object> Hedging of(
            String name, Consumer<HedgingBuilder<R>> settings, TimeSource time) {
        HedgingBuilder<R> builder = new HedgingBuilder<>();
        settings.accept(builder);
        return builder.build(name, time);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean tellsFailures() {
        return true;
    }

    @Override
    public Classifier<Object> classifier() {
        return classifier;
    }

    @Override
    public Optional<RetryBudget> budget() {
        return Optional.ofNullable(budget);
    }

    /** The share of first attempts for which is waited as long as they take; empty if the delay is always the same. */
    public OptionalDouble percentile() {
        return latencies == null ? OptionalDouble.empty() : OptionalDouble.of(latencies.percentile());
    }

    @Override
    public void entered() {
        if (budget != null) {
            budget.called();
        }
    }

    @Override
    public Contest begin(CallContext context) {
        return new HedgedCall();
    }

    /** How many hedges there have been. */
    public HedgingSnapshot snapshot() {
        return new HedgingSnapshot(name, hedged.sum(), overBudget.sum(), Duration.ofNanos(currentDelayNanos()));
    }

    private long currentDelayNanos() {
        long measured = latencies == null ? -1 : latencies.nanos();
        return measured < 0 ? delayNanos : measured;
    }

    private final class HedgedCall implements Contest {

        @Override
        public long patienceNanos(int begun) {
            return begun <= maxHedges ? currentDelayNanos() : FOR_EVER;
        }

        @Override
        public Permission next(int begun) {
            if (begun > maxHedges) {
                return Permission.NO_MORE;
            }
            if (budget != null && !budget.trySpend()) {
                overBudget.increment();
                return Permission.OVER_BUDGET;
            }
            hedged.increment();
            return Permission.GRANTED;
        }

        @Override
        public void took(int number, long nanos) {
            if (latencies != null && number == 0) {
                latencies.record(nanos);
            }
        }
    }

    private static Map<String, String> describe(HedgingBuilder<?> builder, @Nullable RetryBudget budget) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("maxHedges", String.valueOf(builder.maxHedges));
        settings.put("delay", SettingsCheck.readable(builder.delay));
        settings.put("percentile", builder.percentile == null ? "none" : String.valueOf(builder.percentile));
        settings.put("budget", budget == null ? "none" : budget.settings().toString());
        settings.put("failuresAre", builder.classifier().toString());
        return Collections.unmodifiableMap(settings);
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public String toString() {
        return SettingsText.of("hedging", this);
    }
}
