package dev.recloser;

import dev.recloser.spi.SettingsText;
import dev.recloser.time.TimeSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Bounds how much traffic retries and hedges add: each call saves a fraction of a repeated attempt, each repeated attempt spends a
 * whole one. So a dependency that fails altogether sees little more than the calls that are made anyway, however many retries each
 * of them would be allowed.
 *
 * <p>In every span of time, {@code repeated attempts <= ratio x calls + minimumPerSecond x seconds + maximumSaved}. The budget starts
 * full. The middle term lets pipelines with little traffic retry at all.
 *
 * <p>A token bucket that is refilled by calls and by time; the idea is that of the retry budgets of Finagle and gRPC. Calls are only
 * counted; whoever wants to repeat an attempt does the sum. It is done in whole numbers, in millionths of a millionth of an attempt,
 * so that ten calls at a ratio of 0.1 allow one attempt, and nothing is won or lost by rounding. Thread-safe.
 */
public final class RetryBudget {

    /** Repeated attempts that each call allows. */
    public static final double DEFAULT_RATIO = 0.2;

    /** Repeated attempts that each second allows. */
    public static final double DEFAULT_MINIMUM_PER_SECOND = 10;

    /** Repeated attempts that are saved up at most. */
    public static final double DEFAULT_MAXIMUM_SAVED = 100;

    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int REFILL_EVERY = 1000;

    /** One repeated attempt, in the unit in which they are saved. The most that can be saved is far from overflowing. */
    private static final long ONE = 1_000_000_000_000L;

    private final long byCall;
    private final long bySecond;
    private final long most;
    private final Map<String, String> settings;
    private final TimeSource time;
    private final LongAdder calls = new LongAdder();

    /**
     * Nothing more can be saved, so calls need not be counted. Most of the time it is so. True only while {@code saved == most}: what is
     * saved shrinks only where this is made false, under the lock, so a call that goes by it came before the attempt that was spent.
     */
    private volatile boolean full = true;

    /** How many calls were counted since one of them last looked whether it is full. A hint: races on it are harmless. */
    private int unseen;

    /** Guards the fields below. Only repeated attempts come here. */
    private final Object lock = new Object();

    private long saved;
    private long callsSeen;
    private long lastNanos;

    RetryBudget(RetryBudgetBuilder builder, TimeSource time) {
        this.byCall = Math.round(builder.ratio * ONE);
        this.bySecond = Math.round(builder.minimumPerSecond * ONE);
        this.most = Math.round(builder.maximumSaved * ONE);
        this.settings = describe(builder);
        this.time = time;
        this.saved = most;
        this.lastNanos = time.nanoTime();
    }

    /** A budget with the defaults: a fifth of the calls, 10 per second, and at most 100 saved up. */
    public static RetryBudget ofDefaults(TimeSource time) {
        return of(defaults -> {}, time);
    }

    /**
     * A budget, as {@code RetryBudget.of(b -> b.ratio(0.1), TimeSource.system())}.
     *
     * @param settings changes what is not to have its default
     * @param time the time by which it goes
     * @throws SettingsException when the settings cannot work; it names all that is wrong
     */
    public static RetryBudget of(Consumer<RetryBudgetBuilder> settings, TimeSource time) {
        RetryBudgetBuilder builder = new RetryBudgetBuilder();
        settings.accept(builder);
        return builder.build(time);
    }

    /** A call was made; not to be said again for its repeated attempts. */
    public void called() {
        if (full) {
            return;
        }
        calls.increment();
        if (++unseen >= REFILL_EVERY) {
            unseen = 0;
            lookWhetherFull();
        }
    }

    private void lookWhetherFull() {
        synchronized (lock) {
            refill();
        }
    }

    /**
     * Spends one repeated attempt.
     *
     * @return false if none is left: nothing is spent then
     */
    public boolean trySpend() {
        synchronized (lock) {
            refill();
            if (saved < ONE) {
                return false;
            }
            saved -= ONE;
            full = false;
            return true;
        }
    }

    /** How many repeated attempts could be spent at this moment. */
    public double available() {
        synchronized (lock) {
            refill();
            return (double) saved / ONE;
        }
    }

    /** Adds what calls and time have brought since the last time. A clock that runs backwards brings nothing. */
    private void refill() {
        long nowCalls = calls.sum();
        long now = time.nanoTime();
        add(product(nowCalls - callsSeen, byCall));
        callsSeen = nowCalls;
        long passed = now - lastNanos;
        if (passed > 0) {
            add(product(passed / NANOS_PER_SECOND, bySecond));
            add(partOfSecond(passed % NANOS_PER_SECOND));
            lastNanos = now;
        }
    }

    private void add(long more) {
        saved = more >= most - saved ? most : saved + more;
        full = saved == most;
    }

    /** The product of two numbers that are not negative, or the most that can be saved if that is less. */
    private long product(long count, long each) {
        return each != 0 && count > most / each ? most : count * each;
    }

    /** What some nanoseconds of a second bring, rounded down; in two parts, of which neither overflows. */
    private long partOfSecond(long nanos) {
        return bySecond / NANOS_PER_SECOND * nanos + bySecond % NANOS_PER_SECOND * nanos / NANOS_PER_SECOND;
    }

    private static Map<String, String> describe(RetryBudgetBuilder builder) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("ratio", String.valueOf(builder.ratio));
        settings.put("minimumPerSecond", String.valueOf(builder.minimumPerSecond));
        settings.put("maximumSaved", String.valueOf(builder.maximumSaved));
        return Collections.unmodifiableMap(settings);
    }

    /** The settings by their names. */
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public String toString() {
        return "retryBudget (" + SettingsText.of(settings) + ")";
    }
}
