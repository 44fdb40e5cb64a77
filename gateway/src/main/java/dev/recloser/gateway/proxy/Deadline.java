package dev.recloser.gateway.proxy;

import org.jspecify.annotations.Nullable;

/** Something that happens to a connection unless it is cancelled in time. It is in at most one {@link DeadlineList} at a time. */
abstract class Deadline {

    @Nullable
    Deadline before;

    @Nullable
    Deadline after;

    @Nullable
    DeadlineList list;

    long atNanos;

    /** One that is never armed. */
    static final Deadline NONE = of(() -> {});

    static Deadline of(Runnable then) {
        return new Deadline() {
            @Override
            void expired() {
                then.run();
            }
        };
    }

    /** The time is over. The deadline is in no list any more. */
    abstract void expired();

    final boolean isArmed() {
        return list != null;
    }

    final void cancel() {
        DeadlineList in = list;
        if (in != null) {
            in.remove(this);
        }
    }
}
