package dev.recloser;

import dev.recloser.spi.Admission;
import dev.recloser.spi.Strategy;
import dev.recloser.time.TimeSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Strategies around a call, in the order in which they were written, outermost first. One pipeline serves blocking calls on any
 * thread and calls over stages, with one state for both.
 *
 * <pre>{@code
 * Pipeline<String> quotes = Pipeline.<String>named("quotes")
 *         .circuitBreaker(cb -> cb.failureRatio(0.5).minimumThroughput(20))
 *         .timeout(Duration.ofSeconds(1))
 *         .build();
 *
 * String quote = quotes.call(() -> service.fetch());
 * CompletableFuture<String> later = quotes.callAsync(() -> service.fetchAsync());
 * }</pre>
 *
 * <p>Immutable and thread-safe. Make one per dependency and keep it: the state of its breakers and limiters lives in it.
 *
 * @param <R> what calls return
 */
public final class Pipeline<R extends @Nullable Object> {

    private final String name;
    private final Layer[] layers;
    private final List<String> warnings;
    private final TimeSource time;
    private final boolean needsExecution;
    private final SharedExecution shared;

    Pipeline(String name, List<Layer> layers, List<String> warnings, TimeSource time) {
        this.name = name;
        this.warnings = warnings;
        this.layers = layers.toArray(Layer[]::new);
        this.time = time;
        this.needsExecution = layers.stream().anyMatch(layer -> layer.admission == null);
        this.shared = new SharedExecution(name, time);
    }

    /**
     * Begins to build a pipeline.
     *
     * @param name what it is called in rejections, events and metrics
     */
    public static <R extends @Nullable Object> PipelineBuilder<R> named(String name) {
        return new PipelineBuilder<>(name);
    }

    /**
     * A pipeline of one admission strategy, under the strategy's name.
     *
     * @param classifier which outcomes are failures
     */
    public static <R extends @Nullable Object> Pipeline<R> around(
            Admission admission, Classifier<R> classifier, TimeSource time) {
        return new Pipeline<>(
                admission.name(), List.of(PipelineBuilder.layer(admission, classifier, false)), List.of(), time);
    }

    /** The name. */
    public String name() {
        return name;
    }

    /**
     * A context for calls that do without this pipeline but go by its name, such as those that take tickets from one of its
     * strategies.
     */
    public CallContext context() {
        return shared;
    }

    /** The strategies, outermost first. */
    public List<Strategy> strategies() {
        return Arrays.stream(layers).map(layer -> layer.strategy).toList();
    }

    /** What is unwise about this pipeline, though not wrong; also logged once, when it was built. */
    public List<String> warnings() {
        return warnings;
    }

    /**
     * The outermost strategy of a kind, such as {@code strategy(CircuitBreaker.class)}.
     *
     * @param kind the class of the strategy
     */
    public <S extends Strategy> Optional<S> strategy(Class<S> kind) {
        return strategies().stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /**
     * Runs the work on the calling thread.
     *
     * @throws RejectedException when a strategy rejects or cuts the call
     * @throws X what the work throws, as it is
     * @throws InterruptedException when the thread is interrupted in the work, or while it waits
     */
    public <X extends Throwable> R call(Call<R, X> work) throws X, InterruptedException {
        return call((ContextualCall<R, X>) work);
    }

    /**
     * Runs the work on the calling thread, and shows it the {@link CallContext}.
     *
     * @throws RejectedException when a strategy rejects or cuts the call
     * @throws X what the work throws, as it is
     * @throws InterruptedException when the thread is interrupted in the work, or while it waits
     */
    @SuppressWarnings({"unchecked", "NullAway"
    }) // the drivers pass on what the work returned, or what stands in its place
    public <X extends Throwable> R call(ContextualCall<R, X> work) throws X, InterruptedException {
        Execution execution = needsExecution ? new BlockingExecution(name, time) : shared;
        Object result = BlockingDriver.run(layers, execution, work);
        if (result instanceof Failure failure) {
            throw Pipeline.<X>asItIs(failure.error());
        }
        return (R) result;
    }

    /**
     * Starts the work. Never throws and never blocks: a rejection or a failure completes the returned future. Cancelling the
     * future, or completing it from outside as {@code orTimeout} does, cancels the work. Dependents that are given no executor
     * of their own, such as those of {@code thenApplyAsync}, run on the engine's.
     */
    public CompletableFuture<R> callAsync(StageCall<R> work) {
        return callAsync((ContextualStageCall<R>) work);
    }

    /** The same, for work that looks at its {@link CallContext}. */
    public CompletableFuture<R> callAsync(ContextualStageCall<R> work) {
        StageExecution execution = new StageExecution(name, time);
        PipelineFuture<R> future = new PipelineFuture<>(execution, time.executor());
        new StageDriver(layers).run(execution, work, future::end);
        return future;
    }

    /** The compiler is told X; what is thrown is what the work threw. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // that is the purpose
    private static <X extends Throwable> X asItIs(Throwable error) throws X {
        throw (X) error;
    }

    @Override
    public String toString() {
        return name
                + Arrays.stream(layers)
                        .map(layer -> String.valueOf(layer.strategy))
                        .collect(Collectors.joining(" > ", " [", "]"));
    }
}
