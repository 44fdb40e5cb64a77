package dev.recloser.gateway.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamFrame;
import org.jspecify.annotations.Nullable;

/**
 * What is on its way out on one stream of HTTP/2. The frame written last is held until it is known whether it ends the message, or
 * everything is flushed: so an answer of headers alone is one frame, which clients of gRPC insist on, and a small body has no empty frame
 * behind it.
 */
final class Http2Outlet implements Outlet {

    private final Http2StreamChannel channel;
    private final Loop loop;
    private final boolean secure;
    private @Nullable Http2Headers heldHead;
    private @Nullable ByteBuf heldPiece;
    private boolean dirty;
    private long written;
    private long taken;
    private long takenBefore;
    private ChannelFuture last;
    private final ChannelFutureListener taking = done -> taken++;

    /**
     * The way out of a stream.
     *
     * @param secure whether its requests say that they are {@code https}
     */
    Http2Outlet(Http2StreamChannel channel, Loop loop, boolean secure) {
        this.channel = channel;
        this.loop = loop;
        this.secure = secure;
        this.last = channel.newSucceededFuture();
    }

    @Override
    public void request(HttpMethod method, String target, HttpHeaders headers, Framing framing) {
        hold(Http2Messages.request(method, target, headers, secure), null);
        if (framing == Framing.NONE) {
            push(true);
        }
    }

    @Override
    public void response(HttpResponseStatus status, HttpHeaders headers) {
        hold(Http2Messages.response(status, headers), null);
        if (status.code() < 200) {
            push(false);
        }
    }

    @Override
    public void piece(ByteBuf piece, Framing framing) {
        if (piece.isReadable()) {
            loop.flushes().addPiece(piece.readableBytes());
            hold(null, piece);
        } else {
            piece.release();
        }
    }

    @Override
    public void end(HttpHeaders trailers, Framing framing) {
        if (!trailers.isEmpty()) {
            hold(Http2Messages.trailers(trailers), null);
        } else if (heldHead == null && heldPiece == null) {
            hold(null, channel.alloc().buffer(0));
        }
        push(true);
    }

    private void hold(@Nullable Http2Headers head, @Nullable ByteBuf piece) {
        push(false);
        heldHead = head;
        heldPiece = piece;
        if (!dirty) {
            dirty = true;
            loop.flushes().add(this);
        }
    }

    private void push(boolean end) {
        Http2Headers head = heldHead;
        ByteBuf piece = heldPiece;
        heldHead = null;
        heldPiece = null;
        if (head != null) {
            write(new DefaultHttp2HeadersFrame(head, end));
        } else if (piece != null) {
            write(new DefaultHttp2DataFrame(piece, end));
        }
    }

    private void write(Http2StreamFrame frame) {
        written++;
        last = channel.write(frame).addListener(taking);
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public boolean hasPending() {
        return taken < written;
    }

    @Override
    public void markPending() {
        takenBefore = taken;
    }

    @Override
    public boolean isStillTaken() {
        long before = takenBefore;
        markPending();
        return hasPending() && taken != before;
    }

    @Override
    public void flush(ChannelFutureListener afterwards) {
        push(false);
        channel.flush();
        var unused = last.addListener(afterwards);
    }

    @Override
    public void push() {
        dirty = false;
        push(false);
    }

    @Override
    public void flush() {
        push();
        channel.flush();
    }

    /** The peer need not take the rest. Netty says so by itself only where the message has no end yet. */
    void takeBack() {
        if (hasPending()) {
            var unused = channel.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
        }
    }

    /** The stream is gone: nothing more goes out. */
    void discard() {
        heldHead = null;
        if (heldPiece != null) {
            heldPiece.release();
            heldPiece = null;
        }
    }
}
