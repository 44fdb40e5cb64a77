package dev.recloser.opentelemetry;

import org.jspecify.annotations.Nullable;

/** A key that is equal only to one for the very same object. */
record Identity(Object object) {

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Identity identity && identity.object == object;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(object);
    }
}
