package dev.recloser.circuitbreaker;

import dev.recloser.Call;
import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.StageCall;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SettingsText;
import dev.recloser.time.TimeSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: it counts how calls to a dependency end, stops calling it when too many fail, and after a break lets a probe
 * find out whether it has healed. See {@link CircuitState} for the states, {@link CircuitBreakerOptions} for the settings.
 *
 * <p>It is used alone, with {@link #call} and {@link #callAsync}; as a strategy of one or more {@linkplain Pipeline pipelines}; or,
 * in code with a control flow of its own, through the tickets that {@link #acquire} gives. All of them share one circuit.
 *
 * <p>Thread-safe. A closed breaker takes no lock and makes no object.
 */
public final class CircuitBreaker implements Admission {

    private final String name;
    private final CircuitBreakerOptions<Object> firstOptions;
    private final TimeSource time;
    private final Breaker breaker;
    private final Pipeline<Object> alone;
    private volatile @Nullable WithRetry lastRetry;

    private CircuitBreaker(String name, CircuitBreakerOptions<Object> options, TimeSource time) {
        this.name = name;
        this.firstOptions = options;
        this.time = time;
        this.breaker = new Breaker(this, name, options, time);
        this.alone = Pipeline.around(this, time);
    }

    /**
     * A breaker with settings of its own, as {@code CircuitBreaker.of("payments", cb -> cb.failureRatio(0.5))}.
     *
     * @param name what it is called in rejections, events and metrics
     * @param settings changes what is not to have its default
     * @param <R> what the calls return whose results are judged
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public static <R extends @Nullable Object> CircuitBreaker of(
            String name, Consumer<CircuitBreakerBuilder<R>> settings) {
        return of(name, settings, TimeSource.system());
    }

    /**
     * A breaker with settings of its own and the given time, for tests.
     *
     * @param name what it is called in rejections, events and metrics
     * @param settings changes what is not to have its default
     * @param time the time, such as a {@linkplain dev.recloser.time.VirtualTime virtual one}
     * @param <R> what the calls return whose results are judged
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public static <R extends @Nullable Object> CircuitBreaker of(
            String name, Consumer<CircuitBreakerBuilder<R>> settings, TimeSource time) {
        CircuitBreakerBuilder<R> builder = new CircuitBreakerBuilder<>();
        settings.accept(builder);
        return of(name, builder.build(), time);
    }

    /**
     * A breaker with the given settings.
     *
     * @param name what it is called in rejections, events and metrics
     * @param options the settings
     */
    public static CircuitBreaker of(String name, CircuitBreakerOptions<?> options) {
        return of(name, options, TimeSource.system());
    }

    /**
     * A breaker with the given settings and time.
     *
     * @param name what it is called in rejections, events and metrics
     * @param options the settings
     * @param time the time, a {@linkplain dev.recloser.time.VirtualTime virtual one} in tests
     */
    @SuppressWarnings(
            "unchecked") // it is shown nothing but outcomes of calls that return what the settings were made for
    public static CircuitBreaker of(String name, CircuitBreakerOptions<?> options, TimeSource time) {
        return new CircuitBreaker(name, (CircuitBreakerOptions<Object>) options, time);
    }

    /**
     * Begins to describe the circuit for a service that the whole process shares, as
     * {@code CircuitBreaker.forService("payments").openAfter(5, 10).halfOpenAfter(Duration.ofSeconds(30))}.
     *
     * @param service the name of the service, by which the circuit is found again
     */
    public static ServiceCircuitBuilder forService(String service) {
        return CircuitBreakerStore.shared().forService(service);
    }

    /** What this breaker is called in rejections, events and metrics. */
    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean tellsFailures() {
        return true;
    }

    /** Which outcomes are failures. */
    @Override
    public Classifier<Object> classifier() {
        return firstOptions.classifier();
    }

    @Override
    public Map<String, String> settings() {
        return options().describe();
    }

    /**
     * Runs the work if the circuit admits it.
     *
     * @throws dev.recloser.CircuitOpenException when the circuit is open
     * @throws dev.recloser.CircuitIsolatedException when it is isolated
     * @throws X what the work throws, as it is
     * @throws InterruptedException when the work throws it
     */
    @SuppressWarnings("unchecked") // a breaker returns what the work returns and nothing else
    public <T extends @Nullable Object, X extends Throwable> T call(Call<T, X> work) throws X, InterruptedException {
        return (T) alone.call((Call<Object, X>) work);
    }

    /**
     * Starts the work if the circuit admits it. A rejection completes the returned future, it is not thrown. Cancelling the future
     * cancels the work.
     */
    @SuppressWarnings("unchecked") // as above
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(StageCall<T> work) {
        return (CompletableFuture<T>) alone.callAsync((StageCall<Object>) work);
    }

    /**
     * Runs the work if the circuit admits it, with a {@code retry} inside: all its attempts together are one call, which succeeds or
     * fails once.
     *
     * @param retry a retry, or any other continuation
     * @throws dev.recloser.RejectedException as without it
     * @throws X what the last attempt throws, as it is
     * @throws InterruptedException when the work throws it, or the thread is interrupted between two attempts
     */
    @SuppressWarnings("unchecked") // as above
    public <T extends @Nullable Object, X extends Throwable> T call(Continuation retry, Call<T, X> work)
            throws X, InterruptedException {
        return (T) with(retry).call((Call<Object, X>) work);
    }

    /** The same over stages. */
    @SuppressWarnings("unchecked") // as above
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(Continuation retry, StageCall<T> work) {
        return (CompletableFuture<T>) with(retry).callAsync((StageCall<Object>) work);
    }

    /** Code tends to use one retry with one circuit, so the last one is kept. */
    private Pipeline<Object> with(Continuation retry) {
        WithRetry last = lastRetry;
        if (last == null || last.retry() != retry) {
            last = new WithRetry(retry, Pipeline.around(this, retry, time));
            lastRetry = last;
        }
        return last.pipeline();
    }

    private record WithRetry(Continuation retry, Pipeline<Object> pipeline) {}

    /** Asks for a ticket under this breaker's own name; see {@link #acquire(CallContext)}. */
    public Admittance acquire() {
        return breaker.acquire(alone.context());
    }

    @Override
    public Admittance acquire(CallContext context) {
        return breaker.acquire(context);
    }

    /** The state. A circuit whose break is over is open until a call comes. */
    public CircuitState state() {
        return breaker.state();
    }

    /** What there is to see of the circuit at this moment. */
    public CircuitSnapshot snapshot() {
        return breaker.snapshot();
    }

    /**
     * Rejects every call from now on, until somebody {@linkplain #close() closes} the circuit. A breaker that only observes rejects
     * nothing even then.
     */
    public void isolate() {
        breaker.isolate();
    }

    /** Closes the circuit, whatever its state, with an empty window. A circuit that is closed is left as it is. */
    public void close() {
        breaker.close();
    }

    /**
     * Closes the circuit if it is not closed, with an empty window in any case, and begins anew to count what was rejected, late
     * and lost.
     */
    public void reset() {
        breaker.reset();
    }

    /** The settings. */
    public CircuitBreakerOptions<?> options() {
        return breaker.options();
    }

    /**
     * Changes settings while calls go on. The state is kept, and where the rule stays of the same kind, what the window has counted. A
     * break that is running ends as it would have. Which outcomes are failures cannot be changed: pipelines that use the breaker
     * have that from its first settings.
     *
     * @param change changes what is to be different; called again if the settings were changed by somebody else meanwhile
     * @throws dev.recloser.SettingsException when the changed settings cannot work; nothing is changed then
     */
    public void changeSettings(Consumer<CircuitBreakerBuilder<?>> change) {
        CircuitBreakerOptions<?> before;
        CircuitBreakerOptions<?> after;
        do {
            before = breaker.options();
            after = changed(before, change);
        } while (!breaker.change(before, after));
    }

    /**
     * Takes these settings in the place of those that it has, such as those of a configuration that was read anew; otherwise like
     * {@link #changeSettings(Consumer)}.
     *
     * @param settings the settings, with the classifier that the breaker has already
     * @throws dev.recloser.SettingsException when they say otherwise which outcomes are failures; nothing is changed then
     */
    public void changeSettings(CircuitBreakerOptions<?> settings) {
        SettingsCheck.throwIfWrong(check -> requireSame(check, breaker.options(), settings.classifier()));
        CircuitBreakerOptions<?> before;
        do {
            before = breaker.options();
        } while (!breaker.change(before, settings));
    }

    private static CircuitBreakerOptions<?> changed(
            CircuitBreakerOptions<?> before, Consumer<CircuitBreakerBuilder<?>> change) {
        CircuitBreakerBuilder<?> builder = before.toBuilder();
        change.accept(builder);
        SettingsCheck.throwIfWrong(check -> {
            requireSame(check, before, builder.classifier());
            builder.check(check);
        });
        return builder.build();
    }

    private static void requireSame(SettingsCheck check, CircuitBreakerOptions<?> before, Classifier<?> after) {
        check.require(after == before.classifier(), "classifier", "changed", "what it was");
    }

    /** Adds a listener, which is told all that happens from now on, until its registration is removed. */
    public Registration addListener(CircuitListener listener) {
        return breaker.addListener(listener);
    }

    // ---- for the store

    CircuitBreakerOptions<Object> firstOptions() {
        return firstOptions;
    }

    Usage usage() {
        return breaker.usage();
    }

    @Override
    public String toString() {
        return SettingsText.of("circuitBreaker", name, state() + "; " + options());
    }
}
