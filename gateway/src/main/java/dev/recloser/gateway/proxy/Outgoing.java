package dev.recloser.gateway.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * What is on its way out on one connection of HTTP/1. Heads, chunk framing and small pieces of bodies are gathered in one array of the
 * connection's, where writing them is cheapest, so that a small message is one buffer in one system call; larger pieces are passed
 * on as they are. When it is flushed, {@link Flushes} says.
 */
final class Outgoing implements Outlet {

    /** Copying fewer bytes than this is cheaper than one more buffer in the system call. */
    private static final int SMALL = 1024;

    private static final int USUAL = 512;

    /** A connection on which so much was gathered once does not keep the memory. */
    private static final int MOST_KEPT = 16 * 1024;

    private final Channel channel;
    private final Loop loop;
    private ByteBuf gathered = Unpooled.EMPTY_BUFFER;
    private boolean dirty;
    private long pendingBefore;

    Outgoing(Channel channel, Loop loop) {
        this.channel = channel;
        this.loop = loop;
    }

    @Override
    public void request(HttpMethod method, String target, HttpHeaders headers, Framing framing) {
        Wire.requestHead(gather(), method, target, headers);
    }

    @Override
    public void response(HttpResponseStatus status, HttpHeaders headers) {
        Wire.responseHead(gather(), status, headers);
    }

    @Override
    public void piece(ByteBuf piece, Framing framing) {
        if (framing == Framing.CHUNKED) {
            chunk(piece);
        } else {
            write(piece);
        }
    }

    @Override
    public void end(HttpHeaders trailers, Framing framing) {
        if (framing == Framing.CHUNKED) {
            Wire.lastChunk(gather(), trailers);
        }
    }

    /** The buffer that gathers small things. To be written to at once, and not kept. */
    private ByteBuf gather() {
        touch();
        if (gathered.capacity() == 0) {
            gathered = Unpooled.buffer(USUAL);
        }
        return gathered;
    }

    private void write(ByteBuf piece) {
        int length = piece.readableBytes();
        if (length == 0) {
            piece.release();
        } else if (length < SMALL) {
            gather().writeBytes(piece);
            piece.release();
        } else {
            touch();
            pushGathered();
            send(piece);
            loop.flushes().addPiece(length);
        }
    }

    /** An empty chunk is none, since it would be the last. */
    private void chunk(ByteBuf piece) {
        if (piece.isReadable()) {
            Wire.chunkStart(gather(), piece.readableBytes());
            write(piece);
            Wire.crlf(gather());
        } else {
            piece.release();
        }
    }

    @Override
    public boolean hasPending() {
        return pendingBytes() > 0;
    }

    /** How much of what was flushed has not been taken by the system yet. */
    private long pendingBytes() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return pending == null ? 0 : pending.totalPendingWriteBytes() - pending.currentProgress();
    }

    @Override
    public void markPending() {
        pendingBefore = pendingBytes();
    }

    @Override
    public boolean isStillTaken() {
        long before = pendingBefore;
        markPending();
        return pendingBefore > 0 && pendingBefore != before;
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void flush(ChannelFutureListener afterwards) {
        pushGathered();
        var unused = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(afterwards);
    }

    @Override
    public void push() {
        dirty = false;
        pushGathered();
    }

    @Override
    public void flush() {
        push();
        channel.flush();
    }

    /** The connection is gone: nothing more goes out. */
    void discard() {
        gathered = Unpooled.EMPTY_BUFFER;
    }

    private void pushGathered() {
        int length = gathered.readableBytes();
        if (length > 0) {
            send(channel.alloc().directBuffer(length).writeBytes(gathered));
            gathered.clear();
            if (gathered.capacity() > MOST_KEPT) {
                gathered = Unpooled.EMPTY_BUFFER;
            }
        }
    }

    /** Nobody waits for the write: if it fails, the connection is told. */
    private void send(ByteBuf buffer) {
        var unused = channel.write(buffer, channel.voidPromise());
    }

    private void touch() {
        if (!dirty) {
            dirty = true;
            loop.flushes().add(this);
        }
    }
}
