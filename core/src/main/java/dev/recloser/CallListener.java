package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * Is told of every call through a pipeline, also of those in which nothing goes wrong: for measuring and tracing. Added with
 * {@link Pipeline#addCallListener}. Thread-safe.
 */
@FunctionalInterface
public interface CallListener {

    /**
     * A call begins. Runs on the thread of its caller, before anything else; what it throws is logged, and the call is not watched then.
     *
     * @param pipeline the name of the pipeline
     * @return who is told of this call from now on, which may be one object for all calls; null if nobody is to be
     */
    @Nullable
    CallWatch begun(String pipeline);
}
