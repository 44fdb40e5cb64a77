package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.gateway.admin.TransitionRecords.Numbered;
import dev.recloser.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private final Circuits circuits;
    private Map<String, ClusterHistory> clusters = Map.of();
    private final TransitionRecords transitions = new TransitionRecords();
    private final EventStreams streams = new EventStreams(this::whole);
    private final BooleanSupplier draining;
    private final TimeSource time;
    private final String run;
    private long lastTick;

    LiveFeed(Circuits circuits, BooleanSupplier draining, TimeSource time) {
        this.circuits = circuits;
        this.draining = draining;
        this.time = time;
        this.run = Long.toString(time.instant().toEpochMilli(), Character.MAX_RADIX);
        this.lastTick = time.nanoTime();
        follow();
        circuits.follow(() -> {
            follow();
            streams.tell(this::state);
        });
    }

    /** Has a history for each circuit that there is; one that was there before keeps its own. */
    private void follow() {
        Map<String, ClusterHistory> next = new LinkedHashMap<>();
        circuits.byName().forEach((name, observed) -> {
            ClusterHistory before = clusters.get(name);
            next.put(name, before != null && before.isOf(observed) ? before : new ClusterHistory(observed));
        });
        clusters = next;
    }

    EventStreams streams() {
        return streams;
    }

    /** Who is to be told the transitions of all circuits; what comes of them is done by the executor. */
    CircuitListener listener(Executor loop) {
        return new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                try {
                    loop.execute(() -> LiveFeed.this.transitioned(transition));
                } catch (RejectedExecutionException e) {
                    // the server is closed, and nobody is left to be told
                }
            }
        };
    }

    /** Ends a slice of every cluster. One that comes early, because the one before was late, is left out. */
    void tick() {
        long now = time.nanoTime();
        if (now - lastTick < SHORTEST_SLICE_NANOS) {
            return;
        }
        circuits.refresh();
        clusters.values().forEach(cluster -> cluster.tick(now - lastTick));
        lastTick = now;
        streams.dropStalled();
        streams.tell(() -> event("tick", FeedJson.tick(now(), changed())));
    }

    private List<ClusterHistory> changed() {
        return clusters.values().stream().filter(ClusterHistory::hasChanged).toList();
    }

    private void transitioned(CircuitTransition transition) {
        circuits.refresh();
        ClusterHistory cluster = clusters.get(transition.circuit());
        if (cluster == null) {
            return; // it has gone meanwhile
        }
        Numbered numbered = transitions.add(transition);
        streams.tell(() -> event("transition", FeedJson.transition(now(), numbered, cluster)));
    }

    /** To be made at once, for whoever comes just now may come before the next tick. */
    private byte[] whole() {
        circuits.refresh();
        return state();
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
