package dev.recloser.spi;

import dev.recloser.CallContext;

/** Bounds the time that what stands inside it may take. The limit is data; the drivers watch it. */
public non-sealed interface Deadline extends Strategy {

    /**
     * The limit of one call.
     *
     * @param context the call
     * @return nanoseconds from now, more than zero
     */
    long limitNanos(CallContext context);
}
