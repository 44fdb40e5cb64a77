package dev.recloser.gateway.admin;

import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.gateway.admin.TransitionRecords.Numbered;
import dev.recloser.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/**
 * What the dashboard is fed with. It looks at all clusters once each tick, whether anybody watches or not, so that a page that is opened
 * in the middle of an incident has the minute before. Who watches gets three kinds of server-sent events: {@code state}, which says all
 * there is to know and comes first; {@code tick}, with the clusters at which anything has changed; and {@code transition}, at once.
 *
 * <p>All of it is done on one thread.
 */
final class LiveFeed {

    /** One tick each second. */
    static final long TICK_MILLIS = 1000;

    private static final long SHORTEST_SLICE_NANOS = TICK_MILLIS * 1_000_000 / 2;
    private static final int RECONNECT_MILLIS = 1000;

    private final Map<String, ClusterHistory> clusters = new LinkedHashMap<>();
    private final TransitionRecords transitions = new TransitionRecords();
    private final EventStreams streams = new EventStreams(this::state);
    private final BooleanSupplier draining;
    private final TimeSource time;
    private final String run;
    private long lastTick;

    LiveFeed(Collection<Observed> circuits, BooleanSupplier draining, TimeSource time) {
        circuits.forEach(observed -> clusters.put(observed.circuit().cluster().name(), new ClusterHistory(observed)));
        this.draining = draining;
        this.time = time;
        this.run = Long.toString(time.instant().toEpochMilli(), Character.MAX_RADIX);
        this.lastTick = time.nanoTime();
    }

    EventStreams streams() {
        return streams;
    }

    /** Follows the transitions of all circuits from now on; what comes of them is done by the executor. */
    List<Registration> listen(Executor loop) {
        CircuitListener listener = new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                try {
                    loop.execute(() -> LiveFeed.this.transitioned(transition));
                } catch (RejectedExecutionException e) {
                    // the server is closed, and nobody is left to be told
                }
            }
        };
        return clusters.values().stream()
                .map(cluster -> cluster.circuit().breaker().addListener(listener))
                .toList();
    }

    /** Ends a slice of every cluster. One that comes early, because the one before was late, is left out. */
    void tick() {
        long now = time.nanoTime();
        if (now - lastTick < SHORTEST_SLICE_NANOS) {
            return;
        }
        clusters.values().forEach(cluster -> cluster.tick(now - lastTick));
        lastTick = now;
        streams.dropStalled();
        streams.tell(() -> event("tick", FeedJson.tick(now(), changed())));
    }

    private List<ClusterHistory> changed() {
        return clusters.values().stream().filter(ClusterHistory::hasChanged).toList();
    }

    private void transitioned(CircuitTransition transition) {
        Numbered numbered = transitions.add(transition);
        ClusterHistory cluster = Objects.requireNonNull(clusters.get(transition.circuit()));
        streams.tell(() -> event("transition", FeedJson.transition(now(), numbered, cluster)));
    }

    private byte[] state() {
        String json = FeedJson.state(now(), run, clusters.values(), transitions.all());
        return ("retry: " + RECONNECT_MILLIS + "\n" + frame("state", json)).getBytes(StandardCharsets.UTF_8);
    }

    private FeedJson.Now now() {
        return new FeedJson.Now(time.instant(), draining.getAsBoolean());
    }

    private byte[] event(String name, String json) {
        return frame(name, json).getBytes(StandardCharsets.UTF_8);
    }

    /** With the number of the last transition as its id; the JSON is a single line. */
    private String frame(String name, String json) {
        return "id: " + run + "-" + transitions.last() + "\nevent: " + name + "\ndata: " + json + "\n\n";
    }
}
