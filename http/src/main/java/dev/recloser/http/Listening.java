package dev.recloser.http;

import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.PipelineListener;
import dev.recloser.Registration;
import java.lang.System.Logger;
import java.net.http.HttpResponse;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Listens to all pipelines of a client: passes on what happens to the client's listeners, and discards a response as soon as it is known that
 * another attempt follows, so that its connection is free again during the delay. A pipeline may serve more than one partition; it is
 * listened to once.
 */
final class Listening {

    private static final Logger LOG = System.getLogger("dev.recloser.http");

    private final List<PipelineListener> listeners = new CopyOnWriteArrayList<>();

    /** How often each pipeline is listened to. Guarded by itself. */
    private final IdentityHashMap<Pipeline<?>, Place> places = new IdentityHashMap<>();

    private static final class Place {
        final Registration registration;
        int uses;

        Place(Registration registration) {
            this.registration = registration;
        }
    }

    /** Adds a listener to all pipelines, also those that come later. */
    Registration add(PipelineListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return Registration.once(() -> listeners.remove(listener));
    }

    /** Listens to a pipeline, until as many registrations have been removed as made. */
    Registration to(Pipeline<HttpResponse<?>> pipeline) {
        synchronized (places) {
            places.computeIfAbsent(pipeline, key -> new Place(key.addListener(this::happened))).uses++;
        }
        return Registration.once(() -> leave(pipeline));
    }

    private void leave(Pipeline<?> pipeline) {
        synchronized (places) {
            Place place = places.get(pipeline);
            if (place != null && --place.uses == 0) {
                places.remove(pipeline);
                place.registration.remove();
            }
        }
    }

    private void happened(PipelineEvent event) {
        if (event.kind() == PipelineEvent.Kind.RETRY) {
            Leftovers.discard(event.value());
        }
        for (PipelineListener listener : listeners) {
            try {
                listener.happened(event);
            } catch (Throwable thrown) {
                LOG.log(Logger.Level.WARNING, "a listener of " + event.pipeline() + " threw", thrown);
            }
        }
    }
}
