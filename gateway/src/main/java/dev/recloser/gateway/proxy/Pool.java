package dev.recloser.gateway.proxy;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The idle connections of one event loop to one destination. The one used last is used first, so that those not needed age. */
final class Pool {

    final Destination destination;
    final Lane lane;
    final Loop loop;
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();
    private boolean resting;
    private long restUntil;

    Pool(Destination destination, Lane lane, Loop loop) {
        this.destination = destination;
        this.lane = lane;
        this.loop = loop;
    }

    /**
     * A connection that can be used at once, or null. One that is closed already, although its end has not been told yet, is
     * dropped: nothing could be sent on it, and a request that cannot be repeated would fail for nothing.
     */
    @Nullable
    UpstreamConnection take() {
        UpstreamConnection connection = poll();
        while (connection != null && !connection.isOpen()) {
            connection = poll();
        }
        return connection;
    }

    @Nullable
    private UpstreamConnection poll() {
        UpstreamConnection connection = idle.pollFirst();
        if (connection != null) {
            lane.tally.idle(-1);
        }
        return connection;
    }

    /** A connection serves a request from now on. */
    void begun(boolean reused) {
        lane.tally.inUse(1);
        if (reused) {
            lane.tally.reused();
        }
    }

    /** Keeps a connection for the next request. */
    void put(UpstreamConnection connection) {
        if (idle.size() >= Limits.POOLED_CONNECTIONS || loop.isDraining()) {
            connection.close();
        } else {
            idle.addFirst(connection);
            lane.tally.idle(1);
        }
    }

    /** An idle connection is closed, by either side. */
    void remove(UpstreamConnection connection) {
        if (idle.remove(connection)) {
            lane.tally.idle(-1);
        }
    }

    /** The destination could not be reached: others are asked first for a while. */
    void connectFailed() {
        lane.tally.connectFailed();
        resting = true;
        restUntil = loop.deadlines().now() + Limits.DESTINATION_REST.toNanos();
    }

    boolean isResting(long now) {
        if (resting && restUntil - now <= 0) {
            resting = false;
        }
        return resting;
    }

    void closeIdle() {
        for (UpstreamConnection connection = poll(); connection != null; connection = poll()) {
            connection.close();
        }
    }
}
