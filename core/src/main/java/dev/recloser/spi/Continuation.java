package dev.recloser.spi;

import dev.recloser.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * Decides what comes after a failure: another attempt, another outcome in its place, or nothing. Successes and ignored outcomes
 * end the call without asking.
 */
public non-sealed interface Continuation extends Strategy {

    /** Begins to follow one call, when its first attempt has failed. */
    Course begin(CallContext context);

    /** What is remembered of one call between its attempts. Used by one thread at a time. */
    interface Course {

        /**
         * Asked after each attempt that failed.
         *
         * @param value the value in which it ended, if it did
         * @param error the exception in which it ended, if it did
         * @param context the call, with the number of the attempt that failed and the time left
         */
        Step after(@Nullable Object value, @Nullable Throwable error, CallContext context);
    }

    /** What a {@link Course} decides. */
    sealed interface Step {

        /** The outcome stands. */
        static Step done() {
            return Done.DONE;
        }

        /**
         * Another attempt. It is not begun if the deadline leaves no time for the delay: the outcome then stands.
         *
         * @param delayNanos how long to wait first, in nanoseconds, not negative
         */
        static Step again(long delayNanos) {
            return new Again(delayNanos);
        }

        /** A value takes the place of the failure. */
        static Step replaceByValue(@Nullable Object value) {
            return new Replace(value, null);
        }

        /** An exception takes the place of the failure. */
        static Step replaceByError(Throwable error) {
            return new Replace(null, error);
        }
    }

    /** See {@link Step#done()}. */
    enum Done implements Step {
        /** The only one. */
        DONE
    }

    /**
     * See {@link Step#again}.
     *
     * @param delayNanos how long to wait first
     */
    record Again(long delayNanos) implements Step {

        /** Refuses a negative delay. */
        public Again {
            if (delayNanos < 0) {
                throw new IllegalArgumentException("delayNanos is " + delayNanos + ", must not be negative");
            }
        }
    }

    /**
     * See {@link Step#replaceByValue} and {@link Step#replaceByError}.
     *
     * @param value the value, if there is no error
     * @param error the exception, or null
     */
    record Replace(@Nullable Object value, @Nullable Throwable error) implements Step {}
}
