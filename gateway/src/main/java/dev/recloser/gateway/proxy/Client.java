package dev.recloser.gateway.proxy;

import io.netty.channel.ChannelHandler;
import io.netty.util.AsciiString;

/** The client's side of an {@link Exchange}: a connection of HTTP/1 between two requests' ends, or a stream of HTTP/2. */
interface Client {

    /** The address that it connected from. */
    AsciiString address();

    /** Whether it is connected by TLS. */
    boolean isSecure();

    /** Whether request and answer may go on side by side for as long as they like, as calls of gRPC do. */
    boolean isDuplex();

    Outlet out();

    /** The clock that runs while the client is waited for. */
    Deadline deadline();

    // ---- the request

    /** Whether the end of the request has not come yet. */
    boolean isRequestOpen();

    /** Hands out no more of the request than it has. A little is still read, so that the client's leaving is noticed. */
    void pauseRequest();

    /** Hands out no more, and reads no more meanwhile. */
    void stopRequest();

    /** Goes on, at once if there is something. */
    void resumeRequest();

    // ---- the end

    /** Whether any answer from now on is the last one on the connection. */
    boolean isLast();

    /**
     * The exchange has ended, and its answer has been written.
     *
     * @param close whether it said that it is the last one
     */
    void answered(boolean close);

    /**
     * The answer has broken off: the client must not take it for complete.
     *
     * @param reset whether the client would take a mere close for the end of the answer
     */
    void breakOff(boolean reset);

    /** What comes from now on is bytes, which go here; what has come and was not decoded too. Only on a connection of HTTP/1. */
    void tunnel(ChannelHandler end);
}
