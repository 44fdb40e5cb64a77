package dev.recloser.retry;

import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.PipelineEvent;
import dev.recloser.RetryBudget;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.SettingsText;
import dev.recloser.spi.SpendsBudget;
import dev.recloser.time.TimeSource;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A retry: after a failure it makes another attempt, a few times, each after a delay. How long the delays are is said by {@link
 * RetryBuilder}; how many retries all calls together may make, by a {@link RetryBudget}.
 *
 * <p>A failure stands, and there is no other attempt, when
 * <ul>
 *   <li>the call says that its work {@linkplain CallContext#isRepeatable must not run twice},
 *   <li>it was the last of the attempts that are allowed,
 *   <li>the delay is longer than the time that a timeout further out leaves, or the dependency asks for one beyond the maximum,
 *   <li>the budget is spent.
 * </ul>
 * What is a failure is said by the {@linkplain #classifier classifier}: by default neither rejections, such as those of an open
 * circuit, nor interruption, cancellation and {@link Error}.
 *
 * <p>Thread-safe; one retry serves any number of calls.
 */
public final class Retry implements Continuation, SpendsBudget {

    private static final Logger LOG = System.getLogger("dev.recloser.retry");

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final String name;
    private final int maxRetries;
    private final Backoff backoff;
    private final long maxDelayNanos;
    private final @Nullable DelayFunction<Object> delayFunction;
    private final DoubleSupplier random;
    private final Classifier<Object> classifier;
    private final @Nullable RetryBudget budget;
    private final Map<String, String> settings;

    private final LongAdder retried = new LongAdder();
    private final LongAdder exhausted = new LongAdder();
    private final LongAdder overBudget = new LongAdder();
    private final LongAdder tooLate = new LongAdder();

    @SuppressWarnings("unchecked") // it is shown nothing but outcomes of calls that return what the builder was for
    Retry(String name, RetryBuilder<?> builder, @Nullable RetryBudget budget) {
        this.name = Objects.requireNonNull(name, "name");
        this.maxRetries = builder.maxRetries;
        this.backoff = builder.backoff();
        this.maxDelayNanos = backoff.maximum().toNanos();
        this.delayFunction = builder.delayFunction;
        this.random = builder.random;
        this.classifier = (Classifier<Object>) builder.classifier();
        this.budget = budget;
        this.settings = describe();
    }

    /**
     * A retry with a budget of its own, as {@code Retry.of("orders", r -> r.maxRetries(2).jitter())}.
     *
     * @param name what it is called in events and metrics
     * @param settings changes what is not to have its default
     * @param <R> what the calls return whose results are judged
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public static <R extends @Nullable Object> Retry of(String name, Consumer<RetryBuilder<R>> settings) {
        return of(name, settings, TimeSource.system());
    }

    /**
     * The same with the given time, for tests.
     *
     * @param name what it is called in events and metrics
     * @param settings changes what is not to have its default
     * @param time the time by which its budget goes, such as a {@linkplain dev.recloser.time.VirtualTime virtual one}
     * @param <R> what the calls return whose results are judged
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public static <R extends @Nullable Object> Retry of(
            String name, Consumer<RetryBuilder<R>> settings, TimeSource time) {
        RetryBuilder<R> builder = new RetryBuilder<>();
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

    /** What is a failure. A pipeline goes by it unless it is given another classifier together with this retry. */
    @Override
    public Classifier<Object> classifier() {
        return classifier;
    }

    /** How many attempts there may be besides the first. */
    public int maxRetries() {
        return maxRetries;
    }

    @Override
    public Optional<RetryBudget> budget() {
        return Optional.ofNullable(budget);
    }

    /**
     * The longest that all delays of one call can take together; 292 years if it is longer than that. Delays that a dependency asks for
     * can be longer: up to the maximum each.
     */
    public Duration worstCaseDelay() {
        return Duration.ofNanos(backoff.worstCaseNanos(maxRetries));
    }

    /** What it has decided so far. */
    public RetrySnapshot snapshot() {
        return new RetrySnapshot(name, retried.sum(), exhausted.sum(), overBudget.sum(), tooLate.sum());
    }

    @Override
    public void entered() {
        if (budget != null) {
            budget.called();
        }
    }

    @Override
    public Course begin(CallContext context) {
        return new RetryCourse();
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    private Map<String, String> describe() {
        Map<String, String> described = new LinkedHashMap<>();
        described.put("maxRetries", String.valueOf(maxRetries));
        backoff.describe(described);
        described.put("delayFrom", delayFunction == null ? "nothing" : "the outcome");
        described.put("budget", budget == null ? "none" : budget.settings().toString());
        described.put("failuresAre", classifier.toString());
        return Collections.unmodifiableMap(described);
    }

    @Override
    public String toString() {
        return SettingsText.of("retry", this);
    }

    /** One call: how many retries it has had, and where its backoff is. */
    private final class RetryCourse implements Course {

        private final Delays delays = new Delays(backoff);

        @Override
        public Step after(@Nullable Object value, @Nullable Throwable error, CallContext context) {
            if (!context.isRepeatable()) {
                return Step.done();
            }
            if (delays.count() >= maxRetries) {
                exhausted.increment();
                return Step.done(PipelineEvent.Kind.RETRIES_EXHAUSTED);
            }
            long asked = askedNanos(value, error);
            long delay = Math.max(asked, delays.nextNanos(random));
            if (asked > maxDelayNanos || !fits(delay, context)) {
                return tooLate(delay);
            }
            if (budget != null && !budget.trySpend()) {
                overBudget.increment();
                return Step.done(PipelineEvent.Kind.RETRY_OVER_BUDGET);
            }
            retried.increment();
            return Step.again(delay);
        }
    }

    /** The wait would be too long, for the deadline or for the settings. */
    private Step tooLate(long delayNanos) {
        tooLate.increment();
        return Step.done(PipelineEvent.Kind.RETRY_TOO_LATE, delayNanos);
    }

    /** Whether the delay leaves some of the time that the call has. */
    private static boolean fits(long delayNanos, CallContext context) {
        Optional<Duration> remaining = context.remaining();
        return remaining.isEmpty() || delayNanos < saturatedNanos(remaining.get());
    }

    private long askedNanos(@Nullable Object value, @Nullable Throwable error) {
        if (delayFunction == null) {
            return 0;
        }
        try {
            return delayFunction
                    .delayFor(value, error)
                    .map(Retry::saturatedNanos)
                    .orElse(0L);
        } catch (Throwable e) {
            LOG.log(Logger.Level.WARNING, "the function that reads a delay from an outcome threw", e);
            return 0;
        }
    }

    private static long saturatedNanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }
}
