package dev.recloser.spi;

import dev.recloser.CallContext;

/**
 * Decides whether further attempts of a call begin while others are still running. The first one that succeeds is the outcome, and the
 * others are cancelled; if all fail, the first failure is. Attempts never run on the thread of a blocking caller, who is therefore
 * free as soon as there is an outcome.
 */
public non-sealed interface Race extends Strategy {

    /** A call enters, before its first attempt; also one that must not be repeated, for which nothing else is asked. */
    default void entered() {}

    /** Begins to follow one call, before its first attempt. */
    Contest begin(CallContext context);

    /** What is remembered of one call. Used by one thread at a time. */
    interface Contest {

        /** For {@link #patienceNanos}: no further attempt will begin. */
        long FOR_EVER = -1;

        /**
         * How long to wait for those that are running before another attempt begins beside them. Asked each time one has begun.
         *
         * @param begun how many attempts have begun
         * @return nanoseconds, or {@link #FOR_EVER}
         */
        long patienceNanos(int begun);

        /**
         * Whether another attempt may begin at this moment. Asked when the wait is over, and when an attempt has failed.
         *
         * @param begun how many attempts have begun
         */
        Permission next(int begun);

        /**
         * An attempt has succeeded, or was cut because there was an outcome or nobody waited for one any more.
         *
         * @param number which one: 0 for the first
         * @param nanos how long it took, or had been running for
         */
        void took(int number, long nanos);
    }

    /** Whether another attempt may begin. */
    enum Permission {
        /** It may. */
        GRANTED,
        /** As many as are allowed have begun. */
        NO_MORE,
        /** The budget for repeated attempts is spent. */
        OVER_BUDGET
    }
}
