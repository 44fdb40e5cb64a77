package dev.recloser.gateway.admin;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Everybody who is told events. Used on one loop only. */
final class EventStreams {

    /** So many at most. */
    static final int MOST = 100;

    private final Set<EventStream> open = new LinkedHashSet<>();
    private final Supplier<byte[]> whole;

    /**
     * Nobody yet.
     *
     * @param whole the event that says all there is to know, with which a stream begins
     */
    EventStreams(Supplier<byte[]> whole) {
        this.whole = whole;
    }

    boolean isFull() {
        return open.size() >= MOST;
    }

    void add(EventStream stream) {
        open.add(stream);
    }

    void remove(EventStream stream) {
        open.remove(stream);
    }

    byte[] whole() {
        return whole.get();
    }

    /** Tells everybody. The event is made once, and only if there is anybody. */
    void tell(Supplier<byte[]> event) {
        if (!open.isEmpty()) {
            byte[] made = event.get();
            List.copyOf(open).forEach(stream -> stream.send(made));
        }
    }

    /** To be called once each tick. */
    void dropStalled() {
        List.copyOf(open).forEach(EventStream::dropIfStalled);
    }

    void end() {
        List.copyOf(open).forEach(EventStream::end);
    }
}
