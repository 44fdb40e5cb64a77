package dev.recloser.gateway.proxy;

import org.jspecify.annotations.Nullable;

/**
 * All deadlines of one event loop that have the same length. Since each new one is the latest of them, the list is in order
 * without sorting: adding and cancelling move two links, and only the first has to be looked at. Used by its event loop only.
 */
final class DeadlineList {

    private final Deadlines all;
    final long lengthNanos;

    /** How many use it. */
    int users = 1;

    private @Nullable Deadline first;
    private @Nullable Deadline last;

    DeadlineList(Deadlines all, long lengthNanos) {
        this.all = all;
        this.lengthNanos = lengthNanos;
    }

    /**
     * Arms a deadline, from now; if it is armed in any list, that one no longer holds.
     *
     * @return now
     */
    long arm(Deadline deadline) {
        deadline.cancel();
        long now = all.now();
        long at = now + lengthNanos;
        deadline.atNanos = at;
        deadline.list = this;
        Deadline previous = last;
        deadline.before = previous;
        last = deadline;
        if (previous == null) {
            first = deadline;
            all.first(this, at);
        } else {
            previous.after = deadline;
        }
        return now;
    }

    void remove(Deadline deadline) {
        Deadline before = deadline.before;
        Deadline after = deadline.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        deadline.before = null;
        deadline.after = null;
        deadline.list = null;
    }

    @Nullable
    Deadline first() {
        return first;
    }
}
