package dev.recloser;

import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What work, and the strategies around it, may know of the call that they belong to. Thread-safe. To be used while the attempt runs:
 * a blocking call has one context for all its attempts, so what is asked later is answered for a later one.
 */
public interface CallContext {

    /** The name of the pipeline, or of whatever else makes the call. */
    String pipeline();

    /** The number of the attempt: 1 for the first, 2 for the first retry; counted over all retries of the call. */
    int attempt();

    /** Which of the attempts that run beside each other this is: 0 for the first or only one, 1 for the first hedge. */
    int hedge();

    /** Whether the work may run more than once; see {@link Pipeline#once}. */
    boolean isRepeatable();

    /**
     * The time that the tightest timeout around the asker leaves: zero when it is over, empty when there is no timeout. Work can
     * hand it on, as the timeout of a query or in a header.
     */
    Optional<Duration> remaining();

    /** Whether a timeout has cut this call or its caller has cancelled it, so that the outcome no longer matters. */
    boolean isCancelled();

    /**
     * Registers what is to be done when a timeout cuts the attempt that is running or its caller cancels it, such as closing a
     * connection that does not react to an interrupt. It runs at most once, on the engine's executor or on the cancelling
     * thread, and at once if the call is cut already; it is forgotten when the attempt ends. What it throws is dropped.
     */
    void onCancel(Runnable hook);

    /** A context without a deadline that nothing cancels, for callers that take tickets without a pipeline. */
    static CallContext named(String name) {
        return new SharedExecution(new Plan(name, List.of(), TimeSource.system()));
    }
}
