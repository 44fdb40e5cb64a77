package dev.recloser.opentelemetry;

import dev.recloser.CallOutcome;
import dev.recloser.CallWatch;
import dev.recloser.PipelineEvent;
import io.opentelemetry.context.Context;

/**
 * Watches all calls that begin without a context: where one goes on on a thread of somebody else's, that thread's context is put aside, so
 * that its span is told nothing of a call it has no part in.
 *
 * @param meters measure the calls
 */
record RootWatch(CallWatch meters) implements CallWatch {

    @Override
    @SuppressWarnings("MustBeClosedChecker") // whoever enters leaves
    public Scope enter(int attempt, int hedge) {
        Context root = Context.root();
        if (Context.current() == root) {
            return Scope.NOTHING;
        }
        return root.makeCurrent()::close;
    }

    @Override
    public void happened(PipelineEvent event) {
        meters.happened(event);
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
