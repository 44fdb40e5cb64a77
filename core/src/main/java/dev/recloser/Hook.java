package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * What is to be done when an attempt is cut, and what was registered before it.
 *
 * @param action what is to be done
 * @param next what was registered before, if anything
 */
record Hook(Runnable action, @Nullable Hook next) {

    /** Runs them, the latest first. What one throws is dropped, as {@link CallContext#onCancel} says. */
    @SuppressWarnings("EmptyCatch") // the call is over; there is nobody to tell
    static void run(@Nullable Hook first) {
        for (Hook hook = first; hook != null; hook = hook.next) {
            try {
                hook.action.run();
            } catch (Throwable dropped) {
                // See above.
            }
        }
    }
}
