package dev.recloser.opentelemetry;

import dev.recloser.CallOutcome;
import dev.recloser.CallWatch;
import dev.recloser.PipelineEvent;

/**
 * The calls through one pipeline, measured together with those of the other pipelines of its name. A call may go on when the pipeline is not
 * bound any more; then the counters of its strategies may have gone, and it makes no new ones.
 */
final class MeasuredCalls implements CallWatch {

    private final PipelineMeters meters;
    private volatile boolean bound = true;

    MeasuredCalls(PipelineMeters meters) {
        this.meters = meters;
    }

    /** Whether the pipeline still is bound. */
    boolean areBound() {
        return bound;
    }

    /** The pipeline is not bound any more. */
    void end() {
        bound = false;
    }

    @Override
    public void happened(PipelineEvent event) {
        meters.happened(this, event);
    }

    @Override
    public void attemptEnded(int attempt, int hedge, CallOutcome outcome, long nanos) {
        meters.attemptEnded(attempt, hedge, outcome, nanos);
    }

    @Override
    public void ended(CallOutcome outcome, long nanos) {
        meters.ended(outcome, nanos);
    }
}
