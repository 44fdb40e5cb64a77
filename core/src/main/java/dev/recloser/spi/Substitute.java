package dev.recloser.spi;

import org.jspecify.annotations.Nullable;

/**
 * An outcome in the place of a call, which does not take place. To all that stands further out it is the outcome of an attempt, to
 * be judged and counted like any other.
 *
 * @param value the value, if there is no error
 * @param error the exception, or null
 */
public record Substitute(@Nullable Object value, @Nullable Throwable error) implements Admittance {}
