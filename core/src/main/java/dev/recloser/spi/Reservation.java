package dev.recloser.spi;

/**
 * A ticket whose time has not come: its holder waits first, and ends it {@linkplain #unused unused} if it cannot wait that long. It is
 * known beforehand how long the wait is, which is how this differs from a {@link Place}.
 */
public abstract class Reservation implements Ticket {

    /** For subclasses. */
    protected Reservation() {}

    /** How long to wait from now, in nanoseconds; not negative. */
    public abstract long waitNanos();

    /**
     * Whether the wait is a part of the call, as it were its first work. A call that is cut in such a wait has begun, and what stands
     * further out judges it.
     */
    public boolean isPartOfCall() {
        return false;
    }
}
