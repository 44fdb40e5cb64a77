package dev.recloser.gateway.proxy;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Idle connections of HTTP/1. The one used last is used first, so that those not needed age. */
final class Http1Pool extends Pool {

    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();

    Http1Pool(Destination destination, int number, Underway.OfLoop underway, Lane lane, Loop loop) {
        super(
                destination,
                number,
                underway,
                lane,
                loop,
                lane.limit == null ? null : lane.limit.room(destination.address()));
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

    /**
     * A new connection is to be made for a request, which is under way here from now on. Where there may not be any number of connections,
     * it has {@linkplain ConnectionLimit.Room#enter entered} the room.
     *
     * @return whether the connection is counted there
     */
    boolean attempted() {
        underway.begun();
        return room != null;
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

    /**
     * Keeps a connection for the next request, unless it is too old, there are enough, or there will be no next one. A request that waits
     * for a connection gets it at once, or if that is elsewhere, its place.
     */
    void put(UpstreamConnection connection, long now) {
        boolean old = isOld(connection.connectedAt, now) || (room != null && room.isTooFull());
        Awaiting next = room == null || !room.isAwaited() ? null : room.next();
        if (next != null && !old && connection.isOpen() && next.isAt(this)) {
            next.granted(connection);
        } else if (next != null) {
            passOn(connection, next);
        } else if (old || idle.size() >= Limits.POOLED_CONNECTIONS || loop.isDraining()) {
            connection.close();
        } else {
            idle.addFirst(connection);
            lane.tally.idle(1);
            giveUpIdle();
        }
    }

    /** There is one connection less, and another one elsewhere in its place. */
    private static void passOn(UpstreamConnection connection, Awaiting next) {
        connection.counted = false;
        connection.close();
        next.granted();
    }

    /** Those who wait for a connection, on whatever loop, get the places of those that are idle here. */
    @Override
    void giveUpIdle() {
        if (room == null) {
            return;
        }
        // Whoever waits looks for idle ones after having said so, and this is the other way round: one of the two sees
        // the other.
        VarHandle.fullFence();
        while (room.isAwaited() && !idle.isEmpty()) {
            Awaiting next = room.next();
            if (next == null) {
                return;
            }
            lane.tally.idle(-1);
            passOn(idle.removeLast(), next);
        }
    }

    /** A connection is there no more, or will be no more. */
    void gone(UpstreamConnection connection) {
        if (connection.counted) {
            connection.counted = false;
            leaveRoom();
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
