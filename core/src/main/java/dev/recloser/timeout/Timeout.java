package dev.recloser.timeout;

import dev.recloser.CallContext;
import dev.recloser.spi.Deadline;
import dev.recloser.spi.SettingsCheck;
import java.time.Duration;

/**
 * A timeout: bounds what stands inside it, from the moment at which it is entered. A blocking call is interrupted when its time is
 * over, and ends as soon as its work reacts; a stage is cancelled, and its caller freed at once. Both end in a
 * {@link dev.recloser.TimedOutException}, also when the work comes to a value after its time.
 *
 * <p>The interrupt is taken back when the call ends. One that comes from outside is kept, unless it comes after the timeout has
 * fired: then it cannot be told from the timeout's, and is taken back with it.
 */
public final class Timeout implements Deadline {

    private static final Duration SHORTEST = Duration.ofNanos(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Duration limit;

    private Timeout(Duration limit) {
        this.limit = limit;
    }

    /**
     * A timeout of a fixed length.
     *
     * @param limit more than 0, at most 1 day
     * @throws dev.recloser.SettingsException when it is not
     */
    public static Timeout of(Duration limit) {
        SettingsCheck check = new SettingsCheck();
        check(limit, check);
        check.throwIfAny();
        return new Timeout(limit);
    }

    /** Finds what is wrong with a limit. */
    public static void check(Duration limit, SettingsCheck check) {
        check.range("timeout", limit, SHORTEST, LONGEST);
    }

    @Override
    public String name() {
        return "timeout";
    }

    /** The limit. */
    public Duration limit() {
        return limit;
    }

    @Override
    public long limitNanos(CallContext context) {
        return limit.toNanos();
    }

    @Override
    public String toString() {
        return "timeout " + SettingsCheck.readable(limit);
    }
}
