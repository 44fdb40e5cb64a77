package dev.recloser.spi;

import dev.recloser.CallContext;
import java.util.OptionalLong;

/** Bounds the time that what stands inside it may take. The limit is data; the drivers watch it. */
public non-sealed interface Deadline extends Strategy {

    /**
     * The limit of one call.
     *
     * @param context the call
     * @return nanoseconds from now, more than zero
     */
    long limitNanos(CallContext context);

    /** The limit in nanoseconds, where it is the same for every call; empty where that is not known. */
    default OptionalLong knownLimitNanos() {
        return OptionalLong.empty();
    }

    /**
     * Whether the work of a blocking call is to run on a thread other than its caller's, so that the caller is free when the time is
     * over even if the work does not react.
     */
    default boolean isDetached() {
        return false;
    }
}
