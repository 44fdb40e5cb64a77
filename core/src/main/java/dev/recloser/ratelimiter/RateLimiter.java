package dev.recloser.ratelimiter;

import dev.recloser.CallContext;
import dev.recloser.RateExceededException;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Reservation;
import dev.recloser.spi.SettingsText;
import dev.recloser.spi.Ticket;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * A rate limiter: bounds how many calls begin in a span of time. What it bounds exactly depends on its kind:
 *
 * <ul>
 *   <li>{@linkplain RateLimiterBuilder#tokenBucket token bucket}: in no span do more than {@code burst + rate x span} calls begin;
 *   <li>{@linkplain RateLimiterBuilder#slidingWindow sliding window}: in no span of the given length do more than the limit begin,
 *       wherever it begins.
 * </ul>
 *
 * <p>A call that finds no permit is rejected with a {@link RateExceededException}, which says when there will be one. With a
 * {@linkplain RateLimiterBuilder#maxWait maximum wait} it gets a {@link Reservation} instead, if its time comes soon enough. A
 * reservation is for a certain time, which does not move; calls get theirs in the order in which they ask. What counts is the time
 * for which a permit was given: a caller that comes late to its time does not move it.
 *
 * <p>The permit of a call that never begins is given back, be it for now or for later, and the next caller can have it. A token bucket
 * can take back the last 1024 permits whose time has come; an older one remains spent.
 *
 * <p>One limiter can stand in many pipelines, which then share its rate. Thread-safe; it decides under a lock, which is held for
 * nothing else.
 */
public final class RateLimiter implements Admission {

    private final String name;
    private final Duration maxWait;
    private final Map<String, String> settings;
    private final TimeSource time;
    private final LongAdder admitted = new LongAdder();
    private final LongAdder unused = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    /** Guards the schedule, the latest time and the ends of permits. */
    private final Object lock = new Object();

    private final Schedule schedule;

    /** The latest time that a caller has read: another one may have read an earlier time and come later. */
    private long latest;

    RateLimiter(String name, Schedule schedule, Duration maxWait, Map<String, String> settings, TimeSource time) {
        this.name = name;
        this.schedule = schedule;
        this.maxWait = maxWait;
        this.settings = settings;
        this.time = time;
        this.latest = time.nanoTime();
    }

    /**
     * A rate limiter by the clock of this process.
     *
     * @param name its name, in rejections and metrics
     * @param settings chooses the settings
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public static RateLimiter of(String name, Consumer<RateLimiterBuilder> settings) {
        return of(name, settings, TimeSource.system());
    }

    /**
     * A rate limiter.
     *
     * @param name its name, in rejections and metrics
     * @param settings chooses the settings
     * @param time the time by which it goes
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public static RateLimiter of(String name, Consumer<RateLimiterBuilder> settings, TimeSource time) {
        RateLimiterBuilder builder = new RateLimiterBuilder();
        settings.accept(builder);
        return builder.build(name, time);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    /**
     * Asks for a permit.
     *
     * @return a {@link Ticket} when the call may begin now; a {@link Reservation} when it may begin within the maximum wait and before
     *     its deadline; otherwise a {@link RateExceededException} with the time until there is a permit
     */
    @Override
    public Admittance acquire(CallContext context) {
        long patience = patienceNanos(context);
        long now = time.nanoTime();
        long start;
        long wait;
        synchronized (lock) {
            moveTo(now);
            start = schedule.earliest(latest);
            wait = start - latest;
            if (wait <= patience) {
                schedule.take(start);
            }
        }
        if (wait > patience) {
            rejected.increment();
            return new RateExceededException(context.pipeline(), name, wait, null);
        }
        admitted.increment();
        return wait == 0 ? new Permit(this, start) : new Permit.Reserved(this, start, wait);
    }

    /** How long this call can wait: a wait that takes all the time that is left is of no use. */
    private long patienceNanos(CallContext context) {
        if (maxWait.isZero()) {
            return 0;
        }
        Duration left = context.remaining().orElse(Duration.ofNanos(Long.MAX_VALUE));
        return left.compareTo(maxWait) > 0 ? maxWait.toNanos() : Math.max(0, left.toNanos() - 1);
    }

    private void moveTo(long now) {
        if (now - latest > 0) {
            latest = now;
        }
    }

    void giveBack(Permit permit) {
        boolean first;
        synchronized (lock) {
            first = permit.end();
            if (first) {
                schedule.giveBack(permit.start());
            }
        }
        if (first) {
            unused.increment();
        }
    }

    /** What there is to see at this moment. */
    public RateLimiterSnapshot snapshot() {
        long now = time.nanoTime();
        int available;
        int waiting;
        synchronized (lock) {
            moveTo(now);
            available = schedule.available(latest);
            waiting = schedule.waiting(latest);
        }
        return new RateLimiterSnapshot(name, available, waiting, admitted.sum(), unused.sum(), rejected.sum());
    }

    /** Such as {@code rateLimiter orders (tokenBucket 10 per 1 s, burst 10, maxWait 0 s)}. */
    @Override
    public String toString() {
        return SettingsText.of("rateLimiter", this);
    }
}
