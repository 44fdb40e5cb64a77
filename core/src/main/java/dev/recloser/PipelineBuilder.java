package dev.recloser;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.Deadline;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.Strategy;
import dev.recloser.time.TimeSource;
import dev.recloser.timeout.Timeout;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    private final List<Part<R>> parts = new ArrayList<>();
    private TimeSource time = TimeSource.system();

    PipelineBuilder(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** A strategy that is still to be made, once it is known what stands inside it. */
    private interface Part<R extends @Nullable Object> {

        /** Finds what is wrong. */
        void check(SettingsCheck check);

        /** The limit that this part sets; zero where it sets none, or not always the same. */
        default Duration limit() {
            return Duration.ZERO;
        }

        Layer make(Inside inside);
    }

    /** What a strategy must know of what stands inside it: whether there is a timeout, and the longest limit that is known. */
    private record Inside(boolean hasTimeout, Duration longestLimit) {

        static final Inside NOTHING = new Inside(false, Duration.ZERO);

        Inside with(Layer layer, Duration limit) {
            return new Inside(hasTimeout || layer.deadline != null, longer(longestLimit, limit));
        }
    }

    /** The time by which the strategies go: the system's by default, a virtual one in tests. */
    public PipelineBuilder<R> time(TimeSource source) {
        time = Objects.requireNonNull(source, "source");
        return this;
    }

    /**
     * A circuit breaker of this pipeline's own, named like the pipeline. It can be had with {@code strategy(CircuitBreaker.class)}, to
     * watch it or to work it by hand; its result predicates are only right for what this pipeline returns.
     */
    public PipelineBuilder<R> circuitBreaker(Consumer<CircuitBreakerBuilder<R>> settings) {
        CircuitBreakerBuilder<R> builder = CircuitBreakerOptions.builder();
        settings.accept(builder);
        parts.add(new Part<>() {
            @Override
            public void check(SettingsCheck check) {
                builder.check(check.in(name + ".circuitBreaker"));
            }

            @Override
            public Layer make(Inside inside) {
                CircuitBreakerOptions<R> options = builder.timeoutInside(
                                longer(builder.timeoutInside(), inside.longestLimit))
                        .build();
                CircuitBreaker breaker = CircuitBreaker.of(name, untyped(options), time);
                return layer(breaker, options.classifier(), inside.hasTimeout);
            }
        });
        return this;
    }

    /** A circuit breaker that exists already, and may be shared with others. It judges outcomes by its own settings. */
    public PipelineBuilder<R> circuitBreaker(CircuitBreaker breaker) {
        return strategy(breaker, breaker.classifier());
    }

    /** A timeout: more than 0, at most 1 day. */
    public PipelineBuilder<R> timeout(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        parts.add(new Part<>() {
            @Override
            public void check(SettingsCheck check) {
                Timeout.check(limit, check.in(name));
            }

            @Override
            public Duration limit() {
                return limit;
            }

            @Override
            public Layer make(Inside inside) {
                return layer(Timeout.of(limit), Classifier.defaults(), inside.hasTimeout);
            }
        });
        return this;
    }

    /** An admission strategy of one's own. */
    public PipelineBuilder<R> strategy(Admission admission, Classifier<? super R> classifier) {
        return add(admission, classifier);
    }

    /** A continuation of one's own; it is asked about what the classifier calls a failure. */
    public PipelineBuilder<R> strategy(Continuation continuation, Classifier<? super R> classifier) {
        return add(continuation, classifier);
    }

    /**
     * A deadline of one's own. How long it can be is not known here: a breaker outside it should be told, with
     * {@code timeoutInside}.
     */
    public PipelineBuilder<R> strategy(Deadline deadline) {
        return add(deadline, Classifier.<R>defaults());
    }

    private PipelineBuilder<R> add(Strategy strategy, Classifier<? super R> classifier) {
        Objects.requireNonNull(strategy, "strategy");
        Objects.requireNonNull(classifier, "classifier");
        parts.add(new Part<>() {
            @Override
            public void check(SettingsCheck check) {
                // It was checked when it was made.
            }

            @Override
            public Layer make(Inside inside) {
                return layer(strategy, classifier, inside.hasTimeout);
            }
        });
        return this;
    }

    /**
     * The pipeline.
     *
     * @throws SettingsException when the settings of any strategy cannot work; it names all that is wrong
     */
    public Pipeline<R> build() {
        SettingsCheck check = new SettingsCheck();
        parts.forEach(part -> part.check(check));
        check.throwIfAny();
        List<Layer> layers = new ArrayList<>();
        Inside inside = Inside.NOTHING;
        for (int i = parts.size() - 1; i >= 0; i--) {
            Part<R> part = parts.get(i);
            Layer layer = part.make(inside);
            layers.add(0, layer);
            inside = inside.with(layer, part.limit());
        }
        List<String> warnings = warnings(layers);
        warnings.forEach(warning -> LOG.log(Logger.Level.WARNING, name + ": " + warning));
        return new Pipeline<>(name, layers, warnings, time);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static List<String> warnings(List<Layer> layers) {
        return layers.stream()
                .filter(layer -> layer.strategy instanceof CircuitBreaker && !layer.hasTimeoutInside)
                .map(layer ->
                        "no timeout stands inside the circuit breaker: of calls that hang it learns late, or nothing")
                .toList();
    }

    @SuppressWarnings("unchecked") // the pipeline shows it nothing but what the work returned
    static Layer layer(Strategy strategy, Classifier<?> classifier, boolean hasTimeoutInside) {
        return new Layer(strategy, (Classifier<Object>) classifier, hasTimeoutInside);
    }

    @SuppressWarnings("unchecked") // as above
    private static CircuitBreakerOptions<Object> untyped(CircuitBreakerOptions<?> options) {
        return (CircuitBreakerOptions<Object>) options;
    }
}
