package dev.recloser;

import dev.recloser.spi.Admission;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.Deadline;
import dev.recloser.spi.Strategy;
import dev.recloser.time.TimeSource;
import java.util.List;
import java.util.Objects;
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

    private final Plan plan;
    private final List<String> warnings;
    private final List<String> notes;
    private final boolean needsExecution;
    private final boolean repeatable;
    private final SharedExecution shared;
    private final Listeners listeners;
    private final @Nullable Pipeline<R> origin;

    Pipeline(Plan plan, List<String> warnings, List<String> notes) {
        this(plan, warnings, notes, true, null);
    }

    private Pipeline(
            Plan plan, List<String> warnings, List<String> notes, boolean repeatable, @Nullable Pipeline<R> origin) {
        this.plan = plan;
        this.notes = notes;
        this.warnings = warnings;
        this.repeatable = repeatable;
        this.origin = origin;
        this.needsExecution = !repeatable || !plan.layers().stream().allMatch(Layer::needsNoExecution);
        this.shared = new SharedExecution(plan);
        this.listeners = plan.listeners();
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
     * Begins to build a pipeline of the strategies that suit most calls over a network, in the right order.
     *
     * @param name what it is called in rejections, events and metrics
     */
    public static <R extends @Nullable Object> StandardPipelineBuilder<R> standard(String name) {
        return new StandardPipelineBuilder<>(name);
    }

    /** A pipeline of one admission strategy, under the strategy's name. */
    public static <R extends @Nullable Object> Pipeline<R> around(Admission admission, TimeSource time) {
        Layer layer = new Layer(admission, admission.classifier(), 0, null);
        return new Pipeline<>(new Plan(admission.name(), List.of(layer), time), List.of(), List.of());
    }

    /**
     * A pipeline of one admission strategy around a continuation, under the admission's name: all attempts together are one call to
     * the admission.
     */
    public static <R extends @Nullable Object> Pipeline<R> around(
            Admission admission, Continuation continuation, TimeSource time) {
        Layer inner = new Layer(continuation, continuation.classifier(), 1, null);
        Layer outer = new Layer(admission, admission.classifier(), 0, inner);
        return new Pipeline<>(new Plan(admission.name(), List.of(outer, inner), time), List.of(), List.of());
    }

    /**
     * The same pipeline, with the same state, for work that must not run more than once: no retry follows its first attempt and no hedge
     * runs beside it. All else is as it is, fallbacks included.
     */
    public Pipeline<R> once() {
        return new Pipeline<>(plan, warnings, notes, false, origin());
    }

    /**
     * The same pipeline, with the same state and the same listeners, for calls that have a limit of their own: it stands around all
     * strategies, and they know it. So a retry whose delay does not fit is not begun.
     *
     * <pre>{@code
     * String quote = quotes.within(Timeout.of(Duration.ofMillis(300))).call(() -> service.fetch());
     * }</pre>
     *
     * <p>To make it takes longer than a call through it: keep what is returned where it is needed often.
     *
     * @param limit the limit, such as a {@link dev.recloser.timeout.Timeout}
     */
    public Pipeline<R> within(Deadline limit) {
        Objects.requireNonNull(limit, "limit");
        return new Pipeline<>(plan.within(limit), warnings, notes, repeatable, origin());
    }

    /**
     * The pipeline from which this one was made by {@link #once} or {@link #within}; itself if it was not. They share their listeners, so whoever
     * keeps track of pipelines goes by this.
     */
    public Pipeline<R> origin() {
        return origin == null ? this : origin;
    }

    /** The name. */
    public String name() {
        return plan.name();
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
        return plan.layers().stream().map(layer -> layer.strategy).toList();
    }

    /**
     * Adds a listener, which is told what happens from now on.
     *
     * @return removes it again
     */
    public Registration addListener(PipelineListener listener) {
        Objects.requireNonNull(listener, "listener");
        listeners.add(listener);
        return Registration.once(() -> listeners.remove(listener));
    }

    /**
     * Adds a listener that is told of every call from now on, also of those in which nothing goes wrong.
     *
     * @return removes it again; calls that it is watching go on telling it
     */
    public Registration addCallListener(CallListener listener) {
        Objects.requireNonNull(listener, "listener");
        listeners.addCallListener(listener);
        return Registration.once(() -> listeners.removeCallListener(listener));
    }

    /** How many attempts are running at this moment though their caller has been freed, by a timeout or because another one won. */
    public long abandoned() {
        return plan.abandoned().get();
    }

    /** What it consists of. */
    public PipelineDescription describe() {
        List<PipelineDescription.Part> parts = strategies().stream()
                .map(strategy -> new PipelineDescription.Part(
                        strategy.name(), strategy.getClass().getSimpleName(), strategy.settings()))
                .toList();
        return new PipelineDescription(name(), parts, notes, warnings);
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
        Objects.requireNonNull(work, "work");
        Object result = listeners.isWatching()
                ? runWatched(work)
                : plan.blocking().run(needsExecution ? new BlockingExecution(plan, repeatable) : shared, work);
        if (result instanceof Failure failure) {
            throw Pipeline.<X>asItIs(failure.error());
        }
        return (R) result;
    }

    private @Nullable Object runWatched(ContextualCall<R, ?> work) {
        BlockingExecution execution = new BlockingExecution(plan, repeatable);
        CallWatch watch = listeners.watch(name());
        if (watch == null) {
            return plan.blocking().run(execution, work);
        }
        execution.watchedBy(watch);
        long start = execution.recentTime();
        CallWatch.Scope scope = Watch.enter(watch, execution);
        try {
            Object result = plan.watched().run(execution, work);
            Watch.ended(watch, execution, result, execution.recentTime() - start);
            return result;
        } catch (Throwable fault) {
            // Such as a stack overflow, or a strategy of one's own that throws.
            Watch.ended(watch, execution, Failure.fault(fault), execution.recentTime() - start);
            throw fault;
        } finally {
            Watch.leave(scope, execution);
        }
    }

    /**
     * Starts the work. Never blocks, and throws nothing but a {@link NullPointerException} for work that is null: a rejection or a failure completes the returned future. Cancelling the
     * future, or completing it from outside as {@code orTimeout} does, cancels the work. Dependents that are given no executor
     * of their own, such as those of {@code thenApplyAsync}, run on the engine's.
     */
    public CompletableFuture<R> callAsync(StageCall<R> work) {
        return callAsync((ContextualStageCall<R>) work);
    }

    /** The same, for work that looks at its {@link CallContext}. */
    public CompletableFuture<R> callAsync(ContextualStageCall<R> work) {
        Objects.requireNonNull(work, "work");
        StageExecution execution = new StageExecution(plan, repeatable);
        PipelineFuture<R> future = new PipelineFuture<>(execution, plan.time().executor());
        CallWatch watch = listeners.watch(name());
        if (watch == null) {
            start(execution, work, future::end);
        } else {
            execution.watchedBy(watch);
            StageDriver.Sink end = Watch.end(watch, execution, future::end);
            Watch.within(execution, () -> start(execution, work, end));
        }
        return future;
    }

    private void start(StageExecution execution, ContextualStageCall<R> work, StageDriver.Sink end) {
        try {
            StageDriver.run(plan.outermost(), execution, work, end);
        } catch (Throwable fault) {
            // Such as a stack overflow, or a strategy of one's own that throws.
            end.take(Failure.fault(fault));
        }
    }

    /** The compiler is told X; what is thrown is what the work threw. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // that is the purpose
    private static <X extends Throwable> X asItIs(Throwable error) throws X {
        throw (X) error;
    }

    /** Its name and those of its strategies, such as {@code payments [retry > circuitBreaker > timeout]}. */
    @Override
    public String toString() {
        return name() + strategies().stream().map(this::shortName).collect(Collectors.joining(" > ", " [", "]"));
    }

    /** What has its name from the pipeline is called by what it is. */
    private String shortName(Strategy strategy) {
        if (!strategy.name().equals(name())) {
            return strategy.name();
        }
        String kind = strategy.getClass().getSimpleName();
        return kind.isEmpty() ? name() : Character.toLowerCase(kind.charAt(0)) + kind.substring(1);
    }
}
