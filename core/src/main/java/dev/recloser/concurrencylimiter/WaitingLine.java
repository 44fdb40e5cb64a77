package dev.recloser.concurrencylimiter;

import org.jspecify.annotations.Nullable;

/**
 * Those who wait for a permit, in the order in which they came. A linked list whose links are the waiters themselves, so that
 * whoever leaves from the middle is taken out without a search. Not thread-safe: the limiter's lock guards it.
 */
final class WaitingLine {

    private @Nullable Waiter first;
    private @Nullable Waiter last;

    void add(Waiter waiter) {
        waiter.inLine = true;
        waiter.ahead = last;
        if (last == null) {
            first = waiter;
        } else {
            last.behind = waiter;
        }
        last = waiter;
    }

    /** Takes out the one who has waited longest; null if nobody waits. */
    @Nullable
    Waiter poll() {
        Waiter polled = first;
        if (polled != null) {
            remove(polled);
        }
        return polled;
    }

    /** False if the waiter was taken out before. */
    boolean remove(Waiter waiter) {
        if (!waiter.inLine) {
            return false;
        }
        Waiter ahead = waiter.ahead;
        Waiter behind = waiter.behind;
        if (ahead == null) {
            first = behind;
        } else {
            ahead.behind = behind;
        }
        if (behind == null) {
            last = ahead;
        } else {
            behind.ahead = ahead;
        }
        waiter.ahead = null;
        waiter.behind = null;
        waiter.inLine = false;
        return true;
    }
}
