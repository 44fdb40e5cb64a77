package dev.recloser.gateway.proxy;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** The connection of a client that speaks HTTP/2: how long it may be idle, and how it ends. Its {@link ClientStream}s do the work. */
final class Http2ClientConnection extends ChannelInboundHandlerAdapter implements ClientChannel {

    private final Channel channel;
    private final Loop loop;
    private final AsciiString address;
    private final boolean secure;
    private final Http2FrameCodec codec;
    private final Set<ClientStream> streams = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean draining;
    private boolean last;
    private boolean closing;

    private final Deadline deadline = Deadline.of(this::overdue);

    Http2ClientConnection(Channel channel, Loop loop, AsciiString address, boolean secure) {
        this.channel = channel;
        this.loop = loop;
        this.address = address;
        this.secure = secure;
        this.codec = Http2Codecs.ofClients(loop.clients().sizes());
    }

    /** All that turns the bytes of a connection into streams, in the order of the pipeline. */
    ChannelHandler[] handlers() {
        ChannelInitializer<Channel> streamInitializer = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline()
                        .addLast(new ClientStream((Http2StreamChannel) stream, Http2ClientConnection.this, loop));
            }
        };
        return new ChannelHandler[] {codec, new Http2MultiplexHandler(streamInitializer), this};
    }

    AsciiString address() {
        return address;
    }

    boolean isSecure() {
        return secure;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Http2Exception {
        Http2Codecs.widen(codec, Limits.CLIENT_WINDOW_BYTES);
        idle();
        if (loop.isDraining()) {
            drain();
        }
    }

    // ---- its streams

    void opened(ClientStream stream) {
        streams.add(stream);
        if (!draining) {
            deadline.cancel(); // it is not idle
        }
    }

    void ended(ClientStream stream) {
        streams.remove(stream);
        if (streams.isEmpty()) {
            idle();
        }
    }

    private void idle() {
        if (closing) {
            return;
        }
        if (last) {
            closeWhenFlushed();
        } else if (!draining) {
            loop.clientIdle.arm(deadline);
        }
    }

    private void overdue() {
        if (closing) {
            close();
        } else if (draining) {
            goAway(0);
            last = true;
        } else {
            drain();
        }
        if (last && streams.isEmpty()) {
            closeWhenFlushed();
        }
    }

    // ---- the end

    /**
     * First it says only that the connection ends, so that no request is lost that is on its way, and a moment later which request was the
     * last (RFC 9113, section 6.8).
     */
    @Override
    public void drain() {
        if (!draining) {
            draining = true;
            goAway(Integer.MAX_VALUE);
            loop.drainGrace.arm(deadline);
        }
    }

    private void goAway(int laterStreams) {
        Http2GoAwayFrame frame = new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(laterStreams);
        var unused = channel.writeAndFlush(frame);
    }

    private void closeWhenFlushed() {
        if (!closing) {
            closing = true;
            loop.clientStall.arm(deadline);
            var unused = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void close() {
        var unused = channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message); // settings and pings, which the codec has seen to
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        loop.flushes().soon();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        deadline.cancel();
        closing = true;
        List.copyOf(streams).forEach(ClientStream::close);
        loop.closed(this);
        loop.flushes().now();
    }

    /** What the client did wrong, the codec has answered. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException) && !(cause instanceof Http2Exception) && !Tls.isFault(cause)) {
            loop.fault(cause);
            close();
        }
    }
}
