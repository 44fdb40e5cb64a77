package dev.recloser.gateway.proxy;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Idle connections of HTTP/1. The one used last is used first, so that those not needed age. */
final class Http1Pool extends Pool {

    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();

    Http1Pool(Destination destination, int number, Underway.OfLoop underway, Lane lane, Loop loop) {
        super(destination, number, underway, lane, loop);
    }

    /**
     * A connection that can be used at once, or null. One that is closed already, although its end has not been told yet, is
     * dropped: nothing could be sent on it, and a request that cannot be repeated would fail for nothing.
     */
    @Override
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

    @Override
    UpstreamConnection connect(Exchange exchange) {
        return new UpstreamConnection(this, exchange);
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

    /** Keeps a connection for the next request, unless it is too old, there are enough, or there will be no next one. */
    void put(UpstreamConnection connection, long now) {
        if (isOld(connection.connectedAt, now) || idle.size() >= Limits.POOLED_CONNECTIONS || loop.isDraining()) {
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

    @Override
    void closeIdle() {
        for (UpstreamConnection connection = poll(); connection != null; connection = poll()) {
            connection.close();
        }
    }
}
