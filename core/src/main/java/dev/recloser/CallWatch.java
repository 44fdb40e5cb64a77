package dev.recloser;

/**
 * Watches one call, from its beginning to its end; or many, where it makes no difference which. Its methods run on the threads that do the
 * work, under no lock, so they must be quick; what one throws is logged and changes no outcome. Where attempts run beside each other, so
 * may the methods.
 */
public interface CallWatch {

    /**
     * The call goes on, on this thread: it begins here, or comes back after a wait or the end of a stage; and once more for the work of each
     * attempt, within the former. So a context of the caller's thread, such as a trace, can be made that of this thread for so long, and all
     * that strategies and listeners do for the call is done within it.
     *
     * @param attempt the number of the attempt: 1 for the first
     * @param hedge which of the attempts beside each other it is: 0 for the first or only one
     * @return ends it, on the same thread
     */
    default Scope enter(int attempt, int hedge) {
        return Scope.NOTHING;
    }

    /** Something happened to the call that its caller does not see. */
    default void happened(PipelineEvent event) {}

    /**
     * An attempt has ended whose work had begun: a blocking one when its work returned, one over a stage when the stage ended or was cut.
     *
     * @param attempt the number of the attempt: 1 for the first
     * @param hedge which of the attempts beside each other it is: 0 for the first or only one
     * @param outcome how it ended
     * @param nanos how long its work took
     */
    default void attemptEnded(int attempt, int hedge, CallOutcome outcome, long nanos) {}

    /**
     * The call has ended, and its caller is about to be told. Attempts that were left behind may still end afterwards.
     *
     * @param outcome how it ended
     * @param nanos how long it took, with all its attempts and waits
     */
    default void ended(CallOutcome outcome, long nanos) {}

    /** For so long as the call is on a thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        /** Has nothing to do. */
        Scope NOTHING = () -> {};

        /** The call leaves the thread. */
        @Override
        void close();
    }
}
