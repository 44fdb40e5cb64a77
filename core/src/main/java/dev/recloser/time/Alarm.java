package dev.recloser.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Something that becomes due at a time, which its owner may move while it is watched. An alarm is the timer's own entry: no
 * further object is made for it.
 */
public abstract class Alarm {

    private static final VarHandle DUE;
    private static final VarHandle SET;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            DUE = lookup.findVarHandle(Alarm.class, "due", long.class);
            SET = lookup.findVarHandle(Alarm.class, "set", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Written in order, but without waiting until every thread sees it: that is part of telling the timer.
    private volatile long due;
    private volatile boolean set;

    // Where a SlotTimer keeps this alarm. Written by the owner's thread in add, cleared in remove.
    @Nullable
    AtomicReferenceArray<@Nullable Alarm> segment;

    int slot;

    /** An alarm that is not set. */
    protected Alarm() {}

    /** When this alarm is due, on the {@linkplain TimeSource#nanoTime() monotonic clock}; meaningless unless set. */
    public final long due() {
        return due;
    }

    /** Whether a due time is set. */
    public final boolean isSet() {
        return set;
    }

    /** Sets the due time. The timer must be told ({@link Timer#add} or {@link Timer#moved}) unless it is a later one. */
    public final void setDue(long nanoTime) {
        DUE.setRelease(this, nanoTime);
        SET.setRelease(this, true);
    }

    /** Takes the due time away; the timer passes over this alarm until one is set again. */
    public final void unset() {
        SET.setRelease(this, false);
    }

    /**
     * Called by the timer, on its own thread, once it sees that this alarm is set and due. It must be quick, must not throw
     * and must run nothing of the user's; and it must {@linkplain #unset() unset} or {@linkplain #setDue move} the alarm,
     * or it is called again. Since the owner may move the alarm at the same moment, the implementation decides for itself
     * whether it really is due.
     *
     * @param now the time at which the timer looked
     */
    public abstract void ring(long now);
}
