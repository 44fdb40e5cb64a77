package dev.recloser.opentelemetry;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.telemetry.RejectionReason;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tells the span that is current when a call brings a transition of a circuit about; in a pipeline that is the span of its caller. */
final class CircuitTraces implements CircuitListener {

    private final CircuitBreaker breaker;
    private final EventsAlone alone;

    CircuitTraces(CircuitBreaker breaker, EventsAlone alone) {
        this.breaker = breaker;
        this.alone = alone;
    }

    @Override
    public void caused(CircuitTransition transition) {
        tell(breaker, alone, EventText.name(transition), pipeline -> EventText.attributes(pipeline, transition));
    }

    /** Tells of the rejections of a circuit that is used without a pipeline. */
    record Rejections(CircuitBreaker breaker, EventsAlone alone) implements CircuitListener {

        @Override
        public void rejected(CircuitBreaker unused) {
            // A pipeline tells of its rejections itself.
            AttemptContext attempt = AttemptContext.in(Context.current());
            if (attempt == null || !attempt.call().passes(breaker)) {
                tell(
                        breaker,
                        alone,
                        EventText.REJECTED,
                        pipeline -> EventText.rejected(breaker.name(), RejectionReason.of(breaker)));
            }
        }
    }

    private static void tell(
            CircuitBreaker breaker,
            EventsAlone alone,
            String event,
            Function<@Nullable String, Attributes> attributes) {
        Context context = Context.current();
        Span span = Span.fromContext(context);
        if (!span.isRecording()) {
            return;
        }
        AttemptContext attempt = AttemptContext.in(context);
        CallTrace call = attempt == null ? null : attempt.call();
        SpanEvents events = call == null ? null : call.eventsOf(span);
        if (events == null ? alone.hasRoom(span) : events.hasRoom()) {
            String pipeline = call != null && call.passes(breaker) ? call.pipeline() : null;
            span.addEvent(event, attributes.apply(pipeline));
        }
    }
}
