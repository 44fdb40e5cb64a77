package dev.recloser.micrometer;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Meters of pipelines and circuits, in a registry of Micrometer's.
 *
 * <pre>{@code
 * RecloserMetrics metrics = RecloserMetrics.of(registry);
 * metrics.bind(payments);
 * client.forEachPipeline(metrics::bind);
 * CircuitBreakerStore.shared().forEachCircuit(metrics::bind);
 * }</pre>
 *
 * <p>Tags are names that were given to pipelines and strategies, and constants; nothing that comes with a call. Whatever is bound twice is
 * counted once, and its meters go with its last registration. Pipelines of the same name share their meters. Make one for each registry: two
 * know nothing of each other, and would count twice. Thread-safe.
 */
public final class RecloserMetrics implements AutoCloseable {

    private static final Logger LOG = System.getLogger("dev.recloser.micrometer");
    private static final Registration NOTHING = () -> {};

    private final MeterPool pool;
    private final int maxPipelines;

    // Guarded by the pool.
    private final IdentityHashMap<Object, Bound> bound = new IdentityHashMap<>();
    private final Map<String, NamedPipeline> names = new HashMap<>();
    private @Nullable NamedPipeline manyNames;
    private boolean hasWarned;
    private boolean closed;

    RecloserMetrics(MeterPool pool, int maxPipelines) {
        this.pool = pool;
        this.maxPipelines = maxPipelines;
    }

    /** One for a registry, with default settings. */
    public static RecloserMetrics of(MeterRegistry registry) {
        return builder(registry).build();
    }

    /** Begins to describe one for a registry. */
    public static RecloserMetricsBuilder builder(MeterRegistry registry) {
        return new RecloserMetricsBuilder(registry);
    }

    /**
     * Measures the calls through a pipeline, and what happens in it, from now on. To bind one that {@link Pipeline#once} or
     * {@link Pipeline#within} made is to bind the one that it was made from. Does nothing once this is closed.
     *
     * @return ends that, and removes the meters if nothing else uses them
     */
    public Registration bind(Pipeline<?> pipeline) {
        Pipeline<?> origin = Objects.requireNonNull(pipeline, "pipeline").origin();
        return bind(origin, origin.name(), name -> name.add(origin));
    }

    /**
     * Measures a circuit, such as one that is used without a pipeline, from now on: under its own name as that of a pipeline. Does nothing once
     * this is closed.
     *
     * @return ends that, and removes the meters if nothing else uses them
     */
    public Registration bind(CircuitBreaker breaker) {
        Objects.requireNonNull(breaker, "breaker");
        return bind(breaker, breaker.name(), name -> name.add(breaker));
    }

    /** Something that is bound, and how often. */
    private static final class Bound {

        private final Runnable end;
        private int registrations;

        Bound(Runnable end) {
            this.end = end;
        }
    }

    private Registration bind(Object what, String name, Function<NamedPipeline, Runnable> add) {
        synchronized (pool) {
            if (closed) {
                return NOTHING;
            }
            Bound there = bound.get(what);
            if (there == null) {
                there = new Bound(add(name, add));
                bound.put(what, there);
            }
            there.registrations++;
        }
        return Registration.once(() -> unbind(what));
    }

    private Runnable add(String name, Function<NamedPipeline, Runnable> add) {
        NamedPipeline named = names.get(name);
        if (named == null && names.size() < maxPipelines) {
            named = NamedPipeline.of(pool, name);
            names.put(name, named);
        } else if (named == null) {
            return addToManyNames(name, add);
        }
        NamedPipeline own = named;
        Runnable end = add.apply(own);
        return () -> {
            end.run();
            if (own.closeIfEmpty()) {
                names.remove(name);
            }
        };
    }

    private Runnable addToManyNames(String name, Function<NamedPipeline, Runnable> add) {
        if (!hasWarned) {
            hasWarned = true;
            LOG.log(
                    Logger.Level.WARNING,
                    "more than {0} names of pipelines are bound at a time: {1}, and what else comes, is measured under {2}",
                    maxPipelines,
                    name,
                    TagKey.OTHER);
        }
        NamedPipeline others = manyNames == null ? NamedPipeline.ofManyNames(pool) : manyNames;
        manyNames = others;
        Runnable end = add.apply(others);
        return () -> {
            end.run();
            if (others.closeIfEmpty()) {
                manyNames = null;
            }
        };
    }

    private void unbind(Object what) {
        synchronized (pool) {
            Bound there = bound.get(what);
            if (there != null) {
                there.registrations--;
                if (there.registrations == 0) {
                    bound.remove(what);
                    there.end.run();
                }
            }
        }
    }

    /** Ends all that was bound, and removes all meters. Nothing can be bound from then on. */
    @Override
    public void close() {
        synchronized (pool) {
            closed = true;
            List<Bound> all = List.copyOf(bound.values());
            bound.clear();
            all.forEach(each -> each.end.run());
        }
    }
}
