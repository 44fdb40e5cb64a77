package dev.recloser.spi;

import dev.recloser.RejectedException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A place in the queue of an {@link Admission}: a ticket that is not there yet. The admission grants or rejects it, the asker may
 * leave it; whoever is first decides, and the other is told.
 *
 * <p>An admission whose waits are bounded, or that must know at once when somebody leaves, makes a subclass.
 */
public non-sealed class Place implements Admittance {

    /** For {@link #maxWaitNanos()}: as long as it takes. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    private static final Object LEFT = new Object();

    /** Null or a {@code Runnable} while waiting; then the ticket, the rejection, or {@link #LEFT}. */
    private final AtomicReference<@Nullable Object> state = new AtomicReference<>();

    /** A place whose holder waits. */
    public Place() {}

    /**
     * Gives the ticket to the one who waits. What the asker does with it may run on the calling thread, so no lock may be held.
     *
     * @return false if the place was left or decided before: the permit is still the admission's
     */
    public final boolean grant(Ticket ticket) {
        return decide(ticket);
    }

    /**
     * Rejects the one who waits, for example because the wait became too long.
     *
     * @return false if the place was left or decided before
     */
    public final boolean reject(RejectedException rejection) {
        return decide(rejection);
    }

    /**
     * The asker no longer wants the ticket.
     *
     * @return false if it was decided before: the asker then has the {@linkplain #answer() answer} and must end the ticket
     */
    public final boolean leave() {
        boolean left = decide(LEFT);
        if (left) {
            left();
        }
        return left;
    }

    /** Called after the asker has left, on its thread. */
    protected void left() {
        // Most admissions see it when the place has its turn.
    }

    /** How long the asker may wait, in nanoseconds from now, before it must {@linkplain #leave leave}. */
    public long maxWaitNanos() {
        return UNBOUNDED;
    }

    /** What to say to an asker that has left because it had waited for as long as it may. */
    public RejectedException expired() {
        throw new IllegalStateException("a place with a bounded wait must say what its expiry means");
    }

    /** Whether the asker has left. */
    public final boolean isLeft() {
        return state.get() == LEFT;
    }

    /** The ticket or the rejection; null while there is none. */
    public final @Nullable Admittance answer() {
        return state.get() instanceof Admittance answer ? answer : null;
    }

    /** Runs the action once there is an answer: at once, or later on the thread that decides. At most one can be given. */
    public final void whenAnswered(Runnable action) {
        if (!state.compareAndSet(null, action)) {
            action.run();
        }
    }

    private boolean decide(Object end) {
        while (true) {
            Object seen = state.get();
            if (seen != null && !(seen instanceof Runnable)) {
                return false;
            }
            if (state.compareAndSet(seen, end)) {
                if (seen instanceof Runnable action && end != LEFT) {
                    action.run();
                }
                return true;
            }
        }
    }
}
