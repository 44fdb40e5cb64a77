package dev.recloser;

/** How a call through a pipeline, or one attempt of it, has ended, for those who count and measure. */
public enum CallOutcome {
    /** In a value that is no failure. */
    SUCCESS,
    /** In an exception, or a value, that the pipeline's strategies count as a failure. */
    FAILURE,
    /** In an exception that says nothing about the dependency, such as one of the caller's mistakes. */
    IGNORED,
    /** A strategy rejected it: an open circuit, a limiter. */
    REJECTED,
    /** A timeout cut it. */
    TIMED_OUT,
    /** It was cancelled or interrupted; of attempts beside each other, those that another one overtook. */
    CANCELLED
}
