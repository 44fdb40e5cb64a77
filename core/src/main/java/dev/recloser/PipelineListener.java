package dev.recloser;

/**
 * Is told what happens inside a pipeline. Called on the thread on which it happens, under no lock and in no promised order, so it
 * must be quick; what it throws is logged and changes no outcome.
 */
@FunctionalInterface
public interface PipelineListener {

    /** Something happened. */
    void happened(PipelineEvent event);
}
