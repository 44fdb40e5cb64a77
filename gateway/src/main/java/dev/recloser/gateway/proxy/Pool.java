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
        UpstreamConnection connection = idle.pollFirst();
        while (connection != null && !connection.isOpen()) {
            connection = idle.pollFirst();
        }
        return connection;
    }

    /** Keeps a connection for the next request. */
    void put(UpstreamConnection connection) {
        if (idle.size() >= Limits.POOLED_CONNECTIONS || loop.isDraining()) {
            connection.close();
        } else {
            idle.addFirst(connection);
        }
    }

    /** An idle connection is closed, by either side. */
    void remove(UpstreamConnection connection) {
        idle.remove(connection);
    }

    /** The destination could not be reached: others are asked first for a while. */
    void rest() {
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
        for (UpstreamConnection connection = idle.pollFirst(); connection != null; connection = idle.pollFirst()) {
            connection.close();
        }
    }
}
