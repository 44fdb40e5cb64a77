package dev.recloser.spi;

import dev.recloser.CallContext;
import dev.recloser.PipelineEvent;
import org.jspecify.annotations.Nullable;

/**
 * Decides what comes after a failure: another attempt, another outcome in its place, or nothing. Successes and ignored outcomes
 * end the call without asking.
 */
public non-sealed interface Continuation extends Strategy {

    /** A call enters, before its first attempt. On the way of every call, so it should cost next to nothing. */
    default void entered() {}

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
            return Done.SILENT;
        }

        /**
         * The outcome stands, and the listeners of the pipeline are told why.
         *
         * @param why what they are told
         */
        static Step done(PipelineEvent.Kind why) {
            return new Done(why, 0);
        }

        /**
         * The same, because of a wait that is too long.
         *
         * @param why what they are told
         * @param delayNanos how long the wait would have been, in nanoseconds
         */
        static Step done(PipelineEvent.Kind why, long delayNanos) {
            return new Done(why, delayNanos);
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

    /**
     * See {@link Step#done()}.
     *
     * @param why what the listeners of the pipeline are told, if anything
     * @param delayNanos how long the wait would have been because of which there is none
     */
    record Done(PipelineEvent.@Nullable Kind why, long delayNanos) implements Step {
        private static final Done SILENT = new Done(null, 0);
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
