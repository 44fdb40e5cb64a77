package dev.recloser;

import dev.recloser.PipelinePart.Surroundings;
import dev.recloser.adaptivelimiter.AdaptiveLimiterBuilder;
import dev.recloser.chaos.ChaosBuilder;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterBuilder;
import dev.recloser.fallback.FallbackBuilder;
import dev.recloser.hedging.HedgingBuilder;
import dev.recloser.ratelimiter.RateLimiterBuilder;
import dev.recloser.retry.RetryBuilder;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SpendsBudget;
import dev.recloser.spi.Strategy;
import dev.recloser.time.TimeSource;
import dev.recloser.timeout.Timeout;
import dev.recloser.timeout.TimeoutBuilder;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Pipeline}. Strategies stand in the order in which they are written, outermost first. What is wrong with any of
 * them is found in {@link #build}, all at once. Not thread-safe.
 *
 * @param <R> what calls return
 */
public final class PipelineBuilder<R extends @Nullable Object> {

    private static final Logger LOG = System.getLogger("dev.recloser");

    private final String name;
    private final List<PipelinePart> parts = new ArrayList<>();
    private TimeSource time = TimeSource.system();
    private @Nullable RetryBudget sharedBudget;
    private RetryBudgetBuilder budgetSettings = new RetryBudgetBuilder();

    PipelineBuilder(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** The time by which the strategies go: the system's by default, a virtual one in tests. */
    public PipelineBuilder<R> time(TimeSource source) {
        time = Objects.requireNonNull(source, "source");
        return this;
    }

    /**
     * The budget from which the retries and hedges of this pipeline spend, and perhaps those of others. By default a {@linkplain
     * RetryBudget#ofDefaults budget of its own}; each of them can be given another, or none.
     */
    public PipelineBuilder<R> retryBudget(RetryBudget shared) {
        sharedBudget = Objects.requireNonNull(shared, "shared");
        budgetSettings = new RetryBudgetBuilder();
        return this;
    }

    /** A budget of this pipeline's own, from which its retries and hedges spend. */
    public PipelineBuilder<R> retryBudget(Consumer<RetryBudgetBuilder> settings) {
        sharedBudget = null;
        budgetSettings = new RetryBudgetBuilder();
        settings.accept(budgetSettings);
        return this;
    }

    /**
     * Names the strategy that was written last, as it is to be called in rejections, events and metrics. Otherwise a circuit breaker is
     * called like the pipeline, and the others by what they are; where that is taken already, outermost first, with a number, such as
     * {@code timeout2}.
     *
     * @throws IllegalStateException if there is none, or it was made with a name
     */
    public PipelineBuilder<R> as(String strategy) {
        if (parts.isEmpty()) {
            throw new IllegalStateException("there is no strategy yet to be called " + strategy);
        }
        parts.get(parts.size() - 1).name(Objects.requireNonNull(strategy, "strategy"));
        return this;
    }

    /**
     * A circuit breaker of this pipeline's own, named like the pipeline. It can be had with {@code strategy(CircuitBreaker.class)}, to
     * watch it or to work it by hand; its result predicates are only right for what this pipeline returns.
     */
    public PipelineBuilder<R> circuitBreaker(Consumer<CircuitBreakerBuilder<R>> settings) {
        CircuitBreakerBuilder<R> builder = new CircuitBreakerBuilder<>();
        settings.accept(builder);
        return circuitBreaker(builder);
    }

    PipelineBuilder<R> circuitBreaker(CircuitBreakerBuilder<R> builder) {
        Duration said = builder.timeoutInside();
        return add(PipelinePart.of("circuitBreaker", name, builder::check, (own, place) -> {
            Duration inside = longer(said, place.longestLimitInside());
            return CircuitBreaker.of(own, builder.timeoutInside(inside).build(), time);
        }));
    }

    /** A circuit breaker that exists already, and may be shared with others. It judges outcomes by its own settings. */
    public PipelineBuilder<R> circuitBreaker(CircuitBreaker breaker) {
        return strategy(breaker);
    }

    /** A timeout: more than 0, at most 1 day. */
    public PipelineBuilder<R> timeout(Duration limit) {
        return timeout(t -> t.limit(limit));
    }

    /** A timeout. */
    public PipelineBuilder<R> timeout(Consumer<TimeoutBuilder> settings) {
        TimeoutBuilder builder = new TimeoutBuilder();
        settings.accept(builder);
        return add("timeout", builder::check, (own, place) -> builder.build(own));
    }

    /** A retry: further attempts after a failure, within the budget of the pipeline. */
    public PipelineBuilder<R> retry(Consumer<RetryBuilder<R>> settings) {
        RetryBuilder<R> builder = new RetryBuilder<>();
        settings.accept(builder);
        return add(PipelinePart.repeating("retry", builder::check, (own, place) -> builder.build(own, place.budget())));
    }

    /** A concurrency limiter without a queue: so many calls may run at the same time, from 1 to 1,000,000. */
    public PipelineBuilder<R> concurrencyLimiter(int maxConcurrent) {
        return concurrencyLimiter(limiter -> limiter.maxConcurrent(maxConcurrent));
    }

    /** A concurrency limiter. */
    public PipelineBuilder<R> concurrencyLimiter(Consumer<ConcurrencyLimiterBuilder> settings) {
        ConcurrencyLimiterBuilder builder = new ConcurrencyLimiterBuilder();
        settings.accept(builder);
        return add("concurrencyLimiter", builder::check, (own, place) -> builder.build(own));
    }

    /** A concurrency limiter that finds its limit by the latency of calls. */
    public PipelineBuilder<R> adaptiveLimiter(Consumer<AdaptiveLimiterBuilder<R>> settings) {
        AdaptiveLimiterBuilder<R> builder = new AdaptiveLimiterBuilder<>();
        settings.accept(builder);
        return add("adaptiveLimiter", builder::check, (own, place) -> builder.build(own, time));
    }

    /** A rate limiter. */
    public PipelineBuilder<R> rateLimiter(Consumer<RateLimiterBuilder> settings) {
        RateLimiterBuilder builder = new RateLimiterBuilder();
        settings.accept(builder);
        return add("rateLimiter", builder::check, (own, place) -> builder.build(own, time));
    }

    /** A fallback: something else in the place of a failure. */
    public PipelineBuilder<R> fallback(Consumer<FallbackBuilder<R>> settings) {
        FallbackBuilder<R> builder = new FallbackBuilder<>();
        settings.accept(builder);
        return add("fallback", builder::check, (own, place) -> builder.build(own));
    }

    /** Chaos: faults made on purpose, to see what becomes of them. Off until it is switched on. */
    public PipelineBuilder<R> chaos(Consumer<ChaosBuilder<R>> settings) {
        ChaosBuilder<R> builder = new ChaosBuilder<>();
        settings.accept(builder);
        return add("chaos", builder::check, (own, place) -> builder.build(own));
    }

    /** Hedging: attempts beside one that is slow. */
    public PipelineBuilder<R> hedging(Consumer<HedgingBuilder<R>> settings) {
        HedgingBuilder<R> builder = new HedgingBuilder<>();
        settings.accept(builder);
        return add(
                PipelinePart.repeating("hedging", builder::check, (own, place) -> builder.build(own, place.budget())));
    }

    /** A strategy of one's own, or one that exists already. */
    public PipelineBuilder<R> strategy(Strategy strategy) {
        return add(PipelinePart.of(Objects.requireNonNull(strategy, "strategy"), null));
    }

    /** The same, with another opinion on which outcomes are failures. */
    public PipelineBuilder<R> strategy(Strategy strategy, Classifier<? super R> classifier) {
        Objects.requireNonNull(classifier, "classifier");
        return add(PipelinePart.of(Objects.requireNonNull(strategy, "strategy"), classifier));
    }

    private PipelineBuilder<R> add(String kind, Consumer<SettingsCheck> check, PipelinePart.Maker maker) {
        return add(PipelinePart.of(kind, kind, check, maker));
    }

    private PipelineBuilder<R> add(PipelinePart part) {
        parts.add(part);
        return this;
    }

    /**
     * The pipeline.
     *
     * @throws SettingsException when the settings of any strategy cannot work; it names all that is wrong
     */
    public Pipeline<R> build() {
        return build(check -> {});
    }

    /** The same, with something more to be checked. */
    Pipeline<R> build(Consumer<SettingsCheck> more) {
        List<String> names = names();
        SettingsCheck.throwIfWrong(check -> {
            for (int i = 0; i < names.size(); i++) {
                parts.get(i).check(name, names.get(i), check);
            }
            budgetSettings.check(check.in(name + ".retryBudget"));
            more.accept(check);
        });
        List<Layer> layers = layers(names);
        List<String> warnings = PipelineAdvice.warnings(layers);
        warnings.forEach(warning -> LOG.log(Logger.Level.WARNING, name + ": " + warning));
        return new Pipeline<>(new Plan(name, layers, time), warnings, PipelineAdvice.notes(layers));
    }

    /** What the strategies are called, outermost first. */
    private List<String> names() {
        Set<String> taken = new HashSet<>();
        parts.stream().filter(PipelinePart::isNamedByHand).forEach(part -> taken.add(part.nameBeside(taken)));
        List<String> names = new ArrayList<>();
        for (PipelinePart part : parts) {
            String own = part.nameBeside(taken);
            taken.add(own);
            names.add(own);
        }
        return names;
    }

    /** Made from the inside out, since each has to know what stands inside it. */
    private List<Layer> layers(List<String> names) {
        RetryBudget budget = sharedBudget == null ? budgetSettings.build(time) : sharedBudget;
        Set<RetryBudget> budgets = new LinkedHashSet<>();
        List<Layer> layers = new ArrayList<>();
        Layer next = null;
        Duration longestLimit = Duration.ZERO;
        for (int i = parts.size() - 1; i >= 0; i--) {
            PipelinePart part = parts.get(i);
            Strategy strategy = part.make(names.get(i), new Surroundings(longestLimit, budget));
            Strategy driven = strategy;
            if (strategy instanceof SpendsBudget spender) {
                spender.budget().ifPresent(budgets::add);
                boolean isRepeated = parts.subList(0, i).stream().anyMatch(PipelinePart::spendsBudget);
                driven = CallCount.of(strategy, spender.budget(), isRepeated ? Set.of() : budgets);
            }
            next = new Layer(strategy, driven, part.classifierOf(strategy), i, next);
            layers.add(0, next);
            longestLimit = longer(longestLimit, fixedLimit(strategy));
        }
        return layers;
    }

    private static Duration fixedLimit(Strategy strategy) {
        return strategy instanceof Timeout timeout ? timeout.limit().orElse(Duration.ZERO) : Duration.ZERO;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
