package dev.recloser;

import dev.recloser.spi.SettingsCheck;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A timeout cut the call. Its cause is what the work ended in when it was cut, where that was an exception of its own: the last
 * failure before a retry that no longer fitted, for example.
 */
public final class TimedOutException extends RejectedException {

    private static final long serialVersionUID = 1;

    /** For {@code limitNanos}, in what a strategy is shown when a timeout further out has cut the call. */
    static final long OUTSIDE = 0;

    private final long limitNanos;

    /**
     * Made by the drivers.
     *
     * @param pipeline the name of the pipeline
     * @param strategy the name of the timeout
     * @param limitNanos the limit, in nanoseconds
     * @param cause what the work ended in, if it did and was not merely interrupted
     */
    public TimedOutException(String pipeline, String strategy, long limitNanos, @Nullable Throwable cause) {
        super(pipeline, strategy, UNKNOWN, cause);
        this.limitNanos = limitNanos;
    }

    /** The limit that was exceeded; zero where a strategy is shown that a timeout further out has cut the call. */
    public Duration limit() {
        return Duration.ofNanos(limitNanos);
    }

    @Override
    String reason() {
        return limitNanos == OUTSIDE
                ? "cut by a timeout further out"
                : "no outcome within " + SettingsCheck.readable(limit());
    }
}
