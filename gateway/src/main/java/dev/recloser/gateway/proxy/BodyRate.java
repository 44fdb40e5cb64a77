package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ClientsConfig.Times;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether a client sends the body of a request fast enough. Only the time counts in which the gateway waited for it: so a client that is held
 * back because the service is slow is not to blame. The rate is looked at when that time has become long enough, and then anew. Used by one
 * event loop only.
 */
final class BodyRate {

    private final double bytesPerNano;
    private final long averagedNanos;
    private long bytes;
    private long waited;

    BodyRate(long bytesPerSecond, Duration averaged) {
        this.bytesPerNano = bytesPerSecond / 1e9;
        this.averagedNanos = averaged.toNanos();
    }

    /** For the body of a request; null if any rate is fast enough. */
    static @Nullable BodyRate of(Times times) {
        if (times.minBodyRate().isEmpty()) {
            return null;
        }
        boolean shorter = times.body().compareTo(Limits.RATE_AVERAGED) < 0;
        return new BodyRate(times.minBodyRate().getAsLong(), shorter ? times.body() : Limits.RATE_AVERAGED);
    }

    /**
     * Another piece has come.
     *
     * @param length how many bytes it has
     * @param waitedNanos how long it was waited for
     * @return whether it came too slowly, with those before it
     */
    boolean isTooSlow(int length, long waitedNanos) {
        bytes += length;
        waited += waitedNanos;
        if (waited < averagedNanos) {
            return false;
        }
        boolean slow = bytes < bytesPerNano * waited;
        bytes = 0;
        waited = 0;
        return slow;
    }
}
