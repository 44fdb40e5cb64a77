package dev.recloser.concurrencylimiter;

import dev.recloser.LimitReachedException;
import dev.recloser.RejectedException;
import dev.recloser.spi.Place;
import org.jspecify.annotations.Nullable;

/** A place in the line of a limiter, and its own link in it. */
final class Waiter extends Place {

    private final ConcurrencyLimiter limiter;
    private final String pipeline;

    // The line's, and guarded like it.
    @Nullable
    Waiter ahead;

    @Nullable
    Waiter behind;

    boolean inLine;

    Waiter(ConcurrencyLimiter limiter, String pipeline) {
        this.limiter = limiter;
        this.pipeline = pipeline;
    }

    @Override
    public long maxWaitNanos() {
        return limiter.maxWaitNanos();
    }

    @Override
    public RejectedException expired() {
        return new LimitReachedException(pipeline, limiter.name(), RejectedException.UNKNOWN, null);
    }

    @Override
    protected void left() {
        limiter.left(this);
    }
}
