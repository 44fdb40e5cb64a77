package dev.recloser.spi;

import dev.recloser.OutcomeClass;
import org.jspecify.annotations.Nullable;

/**
 * The right to run one call. Its holder ends it exactly once, with {@link #settle} or {@link #unused}, whatever happens; that is
 * the holder's duty, since one shared object may stand for all tickets that are alike.
 */
public non-sealed interface Ticket extends Admittance {

    /**
     * The call has ended.
     *
     * @param outcome the class of the outcome
     * @param value the value in which it ended, if it did
     * @param error the exception in which it ended, if it did
     */
    void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error);

    /** The call never began, because something further in rejected it: it leaves no trace. */
    void unused();

    /**
     * What the call does from now on is not the dependency's doing, such as waiting for what is to be sent to it: it is not to be measured
     * before it {@linkplain #begin begins}. By default nothing, since most do not measure.
     */
    default void standBy() {}

    /** The work of a call that {@linkplain #standBy stands by} begins. */
    default void begin() {}

    /** Whether this call tries out a dependency that is not trusted yet. */
    default boolean isProbe() {
        return false;
    }
}
