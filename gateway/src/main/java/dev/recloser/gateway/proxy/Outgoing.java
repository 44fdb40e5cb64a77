package dev.recloser.gateway.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * What is on its way out on one connection. Heads, chunk framing and small pieces of bodies are gathered in one array of the
 * connection's, where writing them is cheapest, so that a small message is one buffer in one system call; larger pieces are passed
 * on as they are. Nothing is flushed before the event
 * loop has finished with what it has read: see {@link Loop#flush}.
 */
final class Outgoing {

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

    /** The buffer that gathers small things. To be written to at once, and not kept. */
    ByteBuf gather() {
        touch();
        if (gathered.capacity() == 0) {
            gathered = Unpooled.buffer(USUAL);
        }
        return gathered;
    }

    /** Passes a piece on; takes over the caller's reference. */
    void write(ByteBuf piece) {
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
        }
    }

    /** Passes a piece on as a chunk; takes over the caller's reference. An empty one is none, since it would be the last. */
    void writeChunk(ByteBuf piece) {
        if (piece.isReadable()) {
            Wire.chunkStart(gather(), piece.readableBytes());
            write(piece);
            Wire.crlf(gather());
        } else {
            piece.release();
        }
    }

    /** How much of what was flushed has not been taken by the system yet. */
    long pendingBytes() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return pending == null ? 0 : pending.totalPendingWriteBytes() - pending.currentProgress();
    }

    /** Remembers how much is pending, for {@link #isStillTaken}. */
    void markPending() {
        pendingBefore = pendingBytes();
    }

    /** Whether the peer has still to take something, and has taken something since this was asked or marked last. */
    boolean isStillTaken() {
        long before = pendingBefore;
        markPending();
        return pendingBefore > 0 && pendingBefore != before;
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    /** Flushes, and tells when everything so far has been taken by the system, or never will be. */
    void flush(ChannelFutureListener afterwards) {
        pushGathered();
        var unused = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(afterwards);
    }

    void flush() {
        dirty = false;
        pushGathered();
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
            loop.toFlush(this);
        }
    }
}
