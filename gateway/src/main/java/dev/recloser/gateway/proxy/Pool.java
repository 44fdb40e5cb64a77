package dev.recloser.gateway.proxy;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The idle connections of one event loop to one destination. The one used last is used first, so that those not needed age. */
final class Pool {

    private static final long OLD_NANOS = Limits.POOLED_AGE.toNanos();

    final Destination destination;

    /** Which of the destinations of its cluster it leads to, from 0. */
    final int number;

    final Lane lane;
    final Loop loop;
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();
    final Underway.OfLoop underway;

    Pool(Destination destination, int number, Underway.OfLoop underway, Lane lane, Loop loop) {
        this.destination = destination;
        this.number = number;
        this.underway = underway;
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

    /** A new connection is to be made for a request, which is under way here from now on. */
    void attempted() {
        underway.begun();
    }

    /** A connection serves a request from now on; a kept one, another than before. */
    void begun(boolean reused) {
        lane.tally.inUse(1);
        if (reused) {
            underway.begun();
            lane.tally.reused();
        }
    }

    /**
     * A request is not under way here any more.
     *
     * @param connected whether there was a connection for it
     */
    void left(boolean connected) {
        underway.ended();
        if (connected) {
            lane.tally.inUse(-1);
        }
    }

    /** How a request that was sent to this destination, or was to be, has ended there. */
    void ended(Ending ending) {
        destination.health().ended(ending);
    }

    /** Keeps a connection for the next request, unless it is too old, there are enough, or there will be no next one. */
    void put(UpstreamConnection connection, long now) {
        boolean old = now - connection.connectedAt >= OLD_NANOS || lane.isRetired();
        if (old || idle.size() >= Limits.POOLED_CONNECTIONS || loop.isDraining()) {
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
        destination.health().unreachable(loop.deadlines().now());
    }

    void closeIdle() {
        for (UpstreamConnection connection = poll(); connection != null; connection = poll()) {
            connection.close();
        }
    }
}
