package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.OutlierDetectionConfig;
import dev.recloser.gateway.proxy.Condition.Ejection;
import dev.recloser.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How one destination is, as far as all event loops together know. What keeps it from its full share is one immutable
 * {@link Condition}, which is swapped for the next one; whoever loses that race looks again. What ends with time ends when somebody
 * looks. While all is well, a look and a success cost a read each. Thread-safe, without a lock.
 */
final class Health {

    private static final VarHandle CONDITION;

    static {
        try {
            CONDITION = MethodHandles.lookup().findVarHandle(Health.class, "condition", Condition.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TimeSource time;
    private final HealthLog log;
    private final @Nullable Ejections ejections;
    private final long slowStartNanos;
    private final @Nullable FailureWindow window;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile @Nullable Ejection last;

    /** Written through {@link #CONDITION} only. */
    private volatile Condition condition = Condition.WELL;

    /**
     * It is well.
     *
     * @param ejections the rules by which it is ejected; null if it never is
     */
    Health(@Nullable Ejections ejections, TimeSource time, HealthLog log) {
        this.ejections = ejections;
        this.time = time;
        this.log = log;
        this.slowStartNanos = ejections == null ? 0 : ejections.slowStartNanos;
        this.window = ejections == null ? null : window(ejections.rules, time.nanoTime());
    }

    private static @Nullable FailureWindow window(OutlierDetectionConfig rules, long now) {
        return rules.failureRatio().isEmpty()
                ? null
                : new FailureWindow(
                        rules.failureRatio().getAsDouble(),
                        rules.minimumThroughput(),
                        rules.interval().toNanos(),
                        now);
    }

    /** Its part of the share that it would have if it were well: 0 to 1. */
    double share(long now) {
        Condition seen = condition(now);
        return seen == Condition.WELL ? 1 : seen.share(now, slowStartNanos);
    }

    Condition condition(long now) {
        Condition seen = condition;
        if (seen == Condition.WELL) {
            return seen;
        }
        Condition next = seen.at(now, slowStartNanos);
        boolean swapped = next != seen && swap(seen, next);
        if (swapped && ejections != null && seen.ejection() != null && next.ejection() == null) {
            ejections.ended();
            log.returned();
        }
        return next;
    }

    private boolean swap(Condition from, Condition to) {
        return CONDITION.compareAndSet(this, from, to);
    }

    /** Whether checks say that it is not well. */
    boolean isDown() {
        return condition.isDown();
    }

    /** It could not be reached: others are asked first for a while. */
    void unreachable(long now) {
        Condition seen = condition;
        while (!swap(seen, seen.restingUntil(now + Limits.DESTINATION_REST.toNanos()))) {
            seen = condition;
        }
    }

    /**
     * Checks have found, after enough in a row, how it is.
     *
     * @param why why it is not well, if it is not
     */
    void checked(boolean well, String why) {
        long now = time.nanoTime();
        Condition seen = condition;
        while (!swap(seen, seen.checked(well, now))) {
            seen = condition;
        }
        if (well) {
            log.healthy();
        } else {
            log.unhealthy(why);
        }
    }

    /** A request to it has ended, or has left it: the table of endings says whether it has failed. */
    void ended(Ending ending) {
        if (ejections == null) {
            return;
        }
        switch (ending.verdict) {
            case SUCCESS -> succeeded();
            case FAILURE -> failed(ending, ejections);
            case IGNORED, NOT_COUNTED -> {
                // that says nothing about the destination
            }
        }
    }

    private void succeeded() {
        if (failures.get() != 0) {
            failures.set(0);
        }
        if (window != null) {
            window.succeeded(time.nanoTime());
        }
    }

    private void failed(Ending ending, Ejections rules) {
        long now = time.nanoTime();
        int inARow = failures.incrementAndGet();
        boolean tooMany = window != null && window.failed(now);
        if (inARow >= rules.rules.consecutiveFailures()) {
            eject(inARow + " failures in a row, the last one " + ending.reason(), now, rules);
        } else if (tooMany) {
            eject("too large a part of its requests failed, the last one by " + ending.reason(), now, rules);
        }
    }

    private void eject(String why, long now, Ejections rules) {
        Condition seen = condition(now);
        if (seen.isDown() || seen.ejection() != null || !rules.begin(this, now)) {
            return;
        }
        Ejection ejection = rules.next(last, now);
        while (!swap(seen, seen.ejected(ejection))) {
            seen = condition(now);
            if (seen.ejection() != null) {
                rules.ended();
                return;
            }
        }
        last = ejection;
        failures.set(0);
        if (window != null) {
            window.clear(now);
        }
        log.ejected(ejection.nanos(), why);
    }
}
