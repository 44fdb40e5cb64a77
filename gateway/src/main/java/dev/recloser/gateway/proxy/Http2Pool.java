package dev.recloser.gateway.proxy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connections of HTTP/2, each of which carries many requests. There is more than one only where one is full or ends. Requests that come while
 * one is being made wait for it together.
 */
final class Http2Pool extends Pool {

    private final List<Http2UpstreamConnection> connections = new ArrayList<>(1);

    /** How many requests a connection carries, as the last one has said. */
    int streamsEach = Limits.UPSTREAM_STREAMS;

    Http2Pool(Destination destination, int number, Underway.OfLoop underway, Lane lane, Loop loop) {
        super(destination, number, underway, lane, loop, null);
    }

    @Override
    @Nullable
    UpstreamStream take() {
        for (int i = 0; i < connections.size(); i++) {
            Http2UpstreamConnection connection = connections.get(i);
            if (connection.hasRoom()) {
                UpstreamStream stream = new UpstreamStream(this, null);
                if (connection.carry(stream)) {
                    return stream;
                }
                stream.close();
                underway.ended();
            }
        }
        return null;
    }

    @Override
    UpstreamStream connect(Exchange exchange) {
        return new UpstreamStream(this, exchange);
    }

    /** Gives a stream its place as soon as there is one. */
    void await(UpstreamStream stream) {
        for (Http2UpstreamConnection connection : List.copyOf(connections)) {
            if (connection.hasRoom() && connection.carry(stream)) {
                stream.handOver();
                return;
            }
            if (connection.join(stream)) {
                return;
            }
        }
        Http2UpstreamConnection fresh = new Http2UpstreamConnection(this);
        connections.add(fresh);
        fresh.join(stream);
        fresh.open();
    }

    /** A stream no longer waits. */
    void leave(UpstreamStream stream) {
        List.copyOf(connections).forEach(connection -> connection.leave(stream));
    }

    /** A connection is gone. */
    void remove(Http2UpstreamConnection connection) {
        connections.remove(connection);
    }

    /** None is waited for. */
    @Override
    void giveUpIdle() {}

    @Override
    void closeIdle() {
        List.copyOf(connections).forEach(Http2UpstreamConnection::retire);
    }
}
