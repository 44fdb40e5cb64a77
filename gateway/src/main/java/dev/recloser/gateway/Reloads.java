package dev.recloser.gateway;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** How often the configuration of a running gateway was read anew, and what came of it. Thread-safe. */
public final class Reloads {

    /** What can come of it. */
    public enum Result {
        /** The gateway serves by another configuration. */
        SUCCESS,
        /** The configuration cannot be used; the gateway serves by the one that it had. */
        FAILURE,
        /** The configuration says what it said before. */
        UNCHANGED;

        /** As metrics have it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final AtomicLongArray counts = new AtomicLongArray(Result.values().length);
    private volatile boolean lastSuccessful = true;

    Reloads() {}

    /** One more. */
    @SuppressWarnings("EnumOrdinal") // an index that leaves this class nowhere
    public void count(Result result) {
        counts.incrementAndGet(result.ordinal());
        lastSuccessful = result != Result.FAILURE;
    }

    /** How many since the start. */
    @SuppressWarnings("EnumOrdinal") // as above
    public long countOf(Result result) {
        return counts.get(result.ordinal());
    }

    /** Whether the configuration that was read last is the one that is served; true before the first reload. */
    public boolean isLastSuccessful() {
        return lastSuccessful;
    }
}
