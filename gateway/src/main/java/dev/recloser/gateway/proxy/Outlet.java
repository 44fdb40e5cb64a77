package dev.recloser.gateway.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * Where messages go out: on a connection of HTTP/1, or on a stream of HTTP/2. When it is flushed, {@link Flushes} says.
 */
interface Outlet {

    /** The head of a request. */
    void request(HttpMethod method, String target, HttpHeaders headers, Framing framing);

    /** The head of an answer, or of one before the answer. */
    void response(HttpResponseStatus status, HttpHeaders headers);

    /** A piece of a body that has this framing. Takes over the caller's reference. */
    void piece(ByteBuf piece, Framing framing);

    /** The end of a message, with or without a body. */
    void end(HttpHeaders trailers, Framing framing);

    boolean isWritable();

    /** Whether the peer has still to take something of what was flushed. */
    boolean hasPending();

    /** Remembers how much is pending, for {@link #isStillTaken}. */
    void markPending();

    /** Whether the peer has still to take something, and has taken something since this was asked or marked last. */
    boolean isStillTaken();

    /** Flushes, and tells when everything so far has been taken by the system, or never will be. */
    void flush(ChannelFutureListener afterwards);

    /** Hands what it still holds to its connection, so that flushing that is enough. */
    void push();

    void flush();
}
