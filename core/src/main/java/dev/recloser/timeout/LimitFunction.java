package dev.recloser.timeout;

import dev.recloser.CallContext;
import java.time.Duration;

/** Says how long one call may take, as a deadline that came with a request does. Called on the thread of the call. */
@FunctionalInterface
public interface LimitFunction {

    /**
     * The limit, from this moment on.
     *
     * @param context the call
     * @return more than 0, at most 1 day; anything else, and what this throws, reaches the caller as a bug
     */
    Duration limitOf(CallContext context);
}
