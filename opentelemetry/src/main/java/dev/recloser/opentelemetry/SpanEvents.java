package dev.recloser.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The events that the calls of one caller add to its span: a bounded number, and in the end one that says how many more there were. Thread-safe.
 */
final class SpanEvents {

    /** How many at most. */
    static final int MAX_EVENTS = 32;

    static final String OMITTED = "recloser.events_omitted";
    static final AttributeKey<Long> COUNT = AttributeKey.longKey("recloser.count");

    private final Span span;
    private final AtomicInteger asked = new AtomicInteger();

    SpanEvents(Span span) {
        this.span = span;
    }

    /** Whether they are those of this span. */
    boolean areOf(Span other) {
        return span.equals(other);
    }

    /** Whether another one is to be added; if not, it is counted. */
    boolean hasRoom() {
        return asked.incrementAndGet() <= MAX_EVENTS;
    }

    void add(String event, Attributes attributes) {
        span.addEvent(event, attributes);
    }

    /** Says how many had no room. */
    void end() {
        int omitted = asked.get() - MAX_EVENTS;
        if (omitted > 0) {
            span.addEvent(OMITTED, Attributes.of(COUNT, (long) omitted));
        }
    }
}
