package dev.recloser.adaptivelimiter;

/**
 * The calls that are judged together, and what is known of them. Not thread-safe: the limiter's lock guards it.
 *
 * <p>A window takes in all calls that begin in it. Then it waits for as long as the goal is: by that time each of them is back within the
 * goal, or never will be. So no call has to end for it to be judged, and what has not come back yet counts for what it is, slow. To look at
 * the calls that <em>end</em> in a window instead would show the fast ones first, and nothing of a dependency that hangs.
 *
 * <p>What is judged is a percentile, as the share of the calls that were within the goal. In contrast to a mean, a few calls that take
 * forever weigh no more than others, and a call that was cut needs no latency made up for it.
 *
 * <p>A window begins when the one before was judged and the limit set by it, so all its calls met the same limit.
 */
final class LatencyWindow {

    /** The number of no window. */
    static final long NONE = -1;

    private final long lengthNanos;
    private final long goalNanos;
    private final int minimumSamples;

    /** Tells the calls of this window from those of others. */
    private long number;

    private long opened;
    private boolean open = true;
    private long closed;
    private int samples;
    private int within;
    private long withinNanos;
    private int mostInFlight;

    LatencyWindow(AdaptiveLimiterBuilder<?> builder, long now) {
        lengthNanos = builder.window.toNanos();
        goalNanos = builder.goalNanos();
        minimumSamples = builder.minimumSamples;
        opened = now;
    }

    /** Takes in no more calls when it is time, and enough have begun. */
    void close(long now) {
        if (open && samples >= minimumSamples && now - opened >= lengthNanos) {
            open = false;
            closed = now;
        }
    }

    /** Whether all is known that will be. */
    boolean isComplete(long now) {
        return !open && now - closed > goalNanos;
    }

    /**
     * A call begins.
     *
     * @return the number of the window that it belongs to; {@link #NONE} if to none
     */
    long begin(int inFlight) {
        if (!open) {
            return NONE;
        }
        samples++;
        mostInFlight = Math.max(mostInFlight, inFlight);
        return number;
    }

    /** A call has ended well. */
    void succeeded(long callsWindow, long nanos) {
        if (callsWindow == number && nanos <= goalNanos) {
            within++;
            withinNanos += Math.max(0, nanos);
        }
    }

    /** A call was no sample, unless it took so long that it is one whatever it ended in. */
    void ignored(long callsWindow, long nanos) {
        if (callsWindow == number && nanos <= goalNanos) {
            samples--;
        }
    }

    /** A call never began. */
    void unused(long callsWindow) {
        if (callsWindow == number) {
            samples--;
        }
    }

    boolean hasEnoughSamples() {
        return samples >= minimumSamples;
    }

    int samples() {
        return samples;
    }

    double shareWithinGoal() {
        return samples == 0 ? 1 : (double) within / samples;
    }

    /** How long those within the goal took on average; zero if there are none. */
    long meanNanos() {
        return within == 0 ? 0 : withinNanos / within;
    }

    int mostInFlight() {
        return mostInFlight;
    }

    /** Begins the next one. */
    void restart(long now) {
        number++;
        opened = now;
        open = true;
        samples = 0;
        within = 0;
        withinNanos = 0;
        mostInFlight = 0;
    }
}
