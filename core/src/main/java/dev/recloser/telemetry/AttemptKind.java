package dev.recloser.telemetry;

/** Which of the attempts of a call one is, for those who measure. */
public enum AttemptKind {
    /** The first. */
    FIRST,
    /** One that followed a failure. */
    RETRY,
    /** One that ran beside others. */
    HEDGE;

    /**
     * The kind of an attempt.
     *
     * @param attempt its number: 1 for the first
     * @param hedge which of the attempts beside each other it is: 0 for the first or only one
     */
    public static AttemptKind of(int attempt, int hedge) {
        if (hedge > 0) {
            return HEDGE;
        }
        return attempt > 1 ? RETRY : FIRST;
    }
}
