package dev.recloser.opentelemetry;

import io.opentelemetry.api.trace.Span;
import java.util.Map;
import java.util.WeakHashMap;

/** Bounds the events that circuits add to spans which no watched call has for its caller's. Thread-safe. */
final class EventsAlone {

    private final Map<Span, Integer> added = new WeakHashMap<>();

    /** Whether the span is to get another one, which is counted. */
    synchronized boolean hasRoom(Span span) {
        int before = added.getOrDefault(span, 0);
        if (before >= SpanEvents.MAX_EVENTS) {
            return false;
        }
        added.put(span, before + 1);
        return true;
    }
}
