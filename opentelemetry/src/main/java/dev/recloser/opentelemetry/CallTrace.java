package dev.recloser.opentelemetry;

import dev.recloser.CallOutcome;
import dev.recloser.CallWatch;
import dev.recloser.PipelineEvent;
import dev.recloser.spi.Strategy;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/**
 * Watches one call: makes the context of its caller that of every thread on which the call goes on, and tells the caller's span what happens.
 * Where that span is not recorded, it only does the former.
 */
final class CallTrace implements CallWatch {

    private final PipelineCalls pipeline;
    private final @Nullable AttemptContext outer;
    private final @Nullable SpanEvents events;

    /** Whether the events are those of this call, and not of one around it. */
    private final boolean endsEvents;

    /** What is done when the future of a call ends still runs in its context, and is no part of it. */
    private volatile boolean isOver;

    /** Most calls have no other attempt. */
    private final Context first;

    CallTrace(PipelineCalls pipeline, Context caller) {
        this.pipeline = pipeline;
        this.outer = AttemptContext.in(caller);
        Span span = Span.fromContext(caller);
        SpanEvents around = outer == null ? null : outer.call().events;
        boolean isSameSpan = around != null && around.areOf(span);
        this.endsEvents = !isSameSpan && span.isRecording();
        SpanEvents own = endsEvents ? new SpanEvents(span) : null;
        this.events = isSameSpan ? around : own;
        this.first = new AttemptContext(this, 1, 0).storedIn(caller);
    }

    boolean isOver() {
        return isOver;
    }

    /** The attempt of another call within which this one is made; null if there is none. */
    @Nullable
    AttemptContext outer() {
        return outer;
    }

    /** Whether the strategy stands in the pipeline of this call. */
    boolean passes(Strategy strategy) {
        return pipeline.has(strategy);
    }

    /** The events of the caller's span, if it is that one; null if it is another, or not recorded. */
    @Nullable
    SpanEvents eventsOf(Span span) {
        return events != null && events.areOf(span) ? events : null;
    }

    String pipeline() {
        return pipeline.name();
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // whoever enters leaves
    public Scope enter(int attempt, int hedge) {
        Context context = attempt == 1 && hedge == 0 ? first : new AttemptContext(this, attempt, hedge).storedIn(first);
        var current = context.makeCurrent();
        return current == io.opentelemetry.context.Scope.noop() ? Scope.NOTHING : current::close;
    }

    @Override
    public void happened(PipelineEvent event) {
        pipeline.meters().happened(event);
        if (events != null && events.hasRoom()) {
            events.add(EventText.name(event), EventText.attributes(event));
        }
    }

    @Override
    public void attemptEnded(int attempt, int hedge, CallOutcome outcome, long nanos) {
        pipeline.meters().attemptEnded(attempt, hedge, outcome, nanos);
    }

    @Override
    public void ended(CallOutcome outcome, long nanos) {
        isOver = true;
        pipeline.meters().ended(outcome, nanos);
        if (events != null && endsEvents) {
            events.end();
        }
    }
}
