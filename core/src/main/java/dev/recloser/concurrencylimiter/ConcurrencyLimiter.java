package dev.recloser.concurrencylimiter;

import dev.recloser.CallContext;
import dev.recloser.LimitReachedException;
import dev.recloser.OutcomeClass;
import dev.recloser.RejectedException;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SettingsText;
import dev.recloser.spi.Ticket;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A concurrency limiter, also called a bulkhead: so many calls run at the same time, so many more wait for their turn, all others are
 * rejected with a {@link LimitReachedException}. A call gives its permit back whatever it ends in.
 *
 * <p>The queue is fair: whoever came first runs first, and a newcomer never overtakes one who waits. A call that leaves the queue, be it
 * that it has waited too long, was cut by a timeout or was cancelled, takes no permit with it.
 *
 * <p>Thread-safe. While nobody waits, to take a permit and to give it back is a compare-and-set each, without a lock and without an
 * object; and while calls are few, mostly one that shares nothing with other cores.
 */
public final class ConcurrencyLimiter implements Admission {

    /** Makes a demand negative, and so less than any other. */
    private static final int OPEN = Integer.MIN_VALUE;

    private final String name;
    private final int maxConcurrent;
    private final int mostDemand;
    private final long maxWaitNanos;
    private final Map<String, String> settings;

    private final Ticket permit = new Permit();

    /**
     * Permits taken plus calls waiting: one number says it all. While it is above the number of permits, every permit is taken and only
     * the holder of the lock changes it, so that under the lock it cannot move; the surplus is the length of the line. At or below,
     * nobody waits, and everybody changes it by compare-and-set. A permit that is given back while somebody waits is handed on and
     * never becomes free, which is why nobody can overtake.
     *
     * <p>With {@link #OPEN} added to it, spare permits may lie about, which are counted as taken. So an open demand that has reached the
     * number of permits says nothing yet: they are called in first, and from then on the number is exact, until the demand has
     * fallen to half. That adds and takes away {@code OPEN} is the holder of the lock only.
     */
    private final AtomicInteger demand;

    private final SparePermits spare;
    private final int openAgainAt;

    /** Guards the line, and the demand while it is above the number of permits. */
    private final Object lock = new Object();

    private final WaitingLine line = new WaitingLine();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder gaveUpWaiting = new LongAdder();

    ConcurrencyLimiter(String name, ConcurrencyLimiterBuilder builder) {
        this.name = name;
        this.maxConcurrent = builder.maxConcurrent;
        this.mostDemand = builder.maxConcurrent + builder.queue;
        this.maxWaitNanos = builder.maxWait.toNanos();
        this.settings = describe(builder);
        this.spare = SparePermits.of(maxConcurrent, Runtime.getRuntime().availableProcessors());
        this.openAgainAt = spare.hasRoom() ? maxConcurrent / 2 : -1;
        this.demand = new AtomicInteger();
        openIfQuiet();
    }

    /**
     * A limiter without a queue.
     *
     * @param name what it is called in rejections, events and metrics
     * @param maxConcurrent how many calls may run at the same time: 1 to 1,000,000
     * @throws dev.recloser.SettingsException when the number is out of its range
     */
    public static ConcurrencyLimiter of(String name, int maxConcurrent) {
        return of(name, limiter -> limiter.maxConcurrent(maxConcurrent));
    }

    /**
     * A limiter, as {@code ConcurrencyLimiter.of("orders", limiter -> limiter.maxConcurrent(50).queue(20))}.
     *
     * @param name what it is called in rejections, events and metrics
     * @param settings changes what is not to have its default
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public static ConcurrencyLimiter of(String name, Consumer<ConcurrencyLimiterBuilder> settings) {
        ConcurrencyLimiterBuilder builder = new ConcurrencyLimiterBuilder();
        settings.accept(builder);
        return builder.build(name);
    }

    /** What every call is given that may run. Drivers end it once; it cannot tell one call from another. */
    private final class Permit implements Ticket {

        @Override
        public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
            release();
        }

        @Override
        public void unused() {
            release();
        }
    }

    @Override
    public Admittance acquire(CallContext context) {
        return spare.take() || takeFree() ? permit : takeOrQueue(context);
    }

    /** Takes a permit if one is free. Then nobody waits for it. */
    private boolean takeFree() {
        int seen = demand.get();
        while (count(seen) < maxConcurrent) {
            if (demand.compareAndSet(seen, seen + 1)) {
                return true;
            }
            seen = demand.get();
        }
        return false;
    }

    private Admittance takeOrQueue(CallContext context) {
        if (demand.get() < mostDemand) {
            // Made beforehand, so that the lock is held no longer than it takes to link it.
            Waiter waiter = new Waiter(this, context.pipeline());
            synchronized (lock) {
                callInSpares();
                int seen = demand.get();
                while (seen < mostDemand) {
                    // Fails only if permits are given back or taken at this moment because nobody waits yet.
                    if (demand.compareAndSet(seen, seen + 1)) {
                        if (seen < maxConcurrent) {
                            return permit;
                        }
                        line.add(waiter);
                        return waiter;
                    }
                    seen = demand.get();
                }
            }
        }
        rejected.increment();
        return new LimitReachedException(context.pipeline(), name, RejectedException.UNKNOWN, null);
    }

    /** Gives a permit back: to the one who has waited longest and is still there, else to all. */
    private void release() {
        boolean given = spare.put() || giveBack();
        while (!given) {
            Waiter next = nextInLine();
            // One who leaves at this moment does not take it; then it is to be given back still.
            given = next == null ? giveBack() : next.grant(permit);
        }
    }

    /** False if somebody waits for the permit. */
    private boolean giveBack() {
        int seen = demand.get();
        while (count(seen) <= maxConcurrent) {
            if (demand.compareAndSet(seen, seen - 1)) {
                if (seen > 0 && seen <= openAgainAt) {
                    openIfQuiet();
                }
                return true;
            }
            seen = demand.get();
        }
        return false;
    }

    private static int count(int demand) {
        return demand & ~OPEN;
    }

    /** Makes the demand exact. Only for the holder of the lock. */
    private void callInSpares() {
        if (demand.get() < 0) {
            // While they come in, others may take and give back what was never spare.
            int spares = spare.close();
            demand.addAndGet(OPEN - spares);
        }
    }

    /** Lets spare permits lie about if calls are few. */
    private void openIfQuiet() {
        synchronized (lock) {
            int seen = demand.get();
            while (seen >= 0 && seen <= openAgainAt) {
                if (demand.compareAndSet(seen, seen + OPEN)) {
                    spare.open();
                    return;
                }
                seen = demand.get();
            }
        }
    }

    private @Nullable Waiter nextInLine() {
        synchronized (lock) {
            Waiter next = line.poll();
            if (next != null) {
                demand.decrementAndGet();
            }
            return next;
        }
    }

    /** A waiter has left. If it has been taken out of the line meanwhile, the permit meant for it goes to the next. */
    void left(Waiter waiter) {
        gaveUpWaiting.increment();
        synchronized (lock) {
            if (line.remove(waiter)) {
                demand.decrementAndGet();
            }
        }
    }

    /** How many calls may wait. */
    public int queue() {
        return mostDemand - maxConcurrent;
    }

    /** How long a call may wait. */
    public Duration maxWait() {
        return Duration.ofNanos(maxWaitNanos);
    }

    long maxWaitNanos() {
        return maxWaitNanos;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    private static Map<String, String> describe(ConcurrencyLimiterBuilder builder) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("maxConcurrent", String.valueOf(builder.maxConcurrent));
        settings.put("queue", String.valueOf(builder.queue));
        settings.put("maxWait", SettingsCheck.readable(builder.maxWait));
        return Collections.unmodifiableMap(settings);
    }

    /** What there is to see of this limiter. */
    public ConcurrencyLimiterSnapshot snapshot() {
        int now = demand.get();
        int taken = Math.min(count(now), maxConcurrent);
        return new ConcurrencyLimiterSnapshot(
                name,
                now < 0 ? Math.max(0, taken - spare.count()) : taken,
                Math.max(0, count(now) - maxConcurrent),
                maxConcurrent,
                rejected.sum(),
                gaveUpWaiting.sum());
    }

    @Override
    public String toString() {
        return SettingsText.of("concurrencyLimiter", this);
    }
}
