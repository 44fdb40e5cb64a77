package dev.recloser.gateway.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/2 to a service, which many requests share. It can be used once the service has sent its settings, until the service
 * says that it ends, or it has been idle or is old. Where a request on it was not answered in time, no other one follows before the service
 * has answered a ping: a connection that has silently died must not hold up more than those.
 */
final class Http2UpstreamConnection extends ChannelInboundHandlerAdapter implements Connector.Caller {

    private static final long PING = 0x7265636c6f736572L;

    private final Http2Pool pool;
    private final Loop loop;
    private final Http2FrameCodec codec = Http2Codecs.ofServices();
    private List<UpstreamStream> waiting = new ArrayList<>();
    private @Nullable Channel channel;
    private long connectedAt;
    private int streams;
    private boolean ready;
    private boolean used;
    private boolean answered;
    private boolean malformed;
    private boolean suspect;
    private boolean ending;
    private boolean gone;

    private final Deadline deadline = Deadline.of(this::overdue);

    Http2UpstreamConnection(Http2Pool pool) {
        this.pool = pool;
        this.loop = pool.loop;
    }

    // ---- connecting

    void open() {
        pool.lane.connects.arm(deadline);
        Http2MultiplexHandler multiplex = new Http2MultiplexHandler(new ChannelInboundHandlerAdapter());
        loop.connector(pool.destination, this).open(codec, multiplex, this);
    }

    @Override
    public boolean isWaiting() {
        return !gone;
    }

    @Override
    public void connecting(Channel begun) {
        channel = begun;
    }

    /** The settings of the service follow. */
    @Override
    public void connected() {
        try {
            Http2Codecs.widen(codec, Limits.UPSTREAM_WINDOW_BYTES);
            loop.flushes().now();
        } catch (Http2Exception e) {
            connectFailed(e);
        }
    }

    private void ready() {
        ready = true;
        deadline.cancel();
        connectedAt = loop.deadlines().now();
        pool.streamsEach = Math.max(1, most());
        pool.lane.tally.connected();
        pool.lane.tally.idle(1);
        List<UpstreamStream> those = waiting;
        waiting = new ArrayList<>();
        if (most() == 0) {
            close();
        }
        for (UpstreamStream stream : those) {
            if (most() == 0) {
                stream.giveUp(new IOException("the service takes no requests on its connections"));
            } else if (canCarry() && carry(stream)) {
                stream.handOver();
            } else {
                pool.await(stream);
            }
        }
        rest();
    }

    @Override
    public void connectFailed(@Nullable Throwable cause) {
        if (gone || ready) {
            return;
        }
        gone = true;
        pool.remove(this);
        close();
        if (cause instanceof IOException || cause instanceof Http2Exception) {
            pool.connectFailed();
        }
        List<UpstreamStream> those = waiting;
        waiting = new ArrayList<>();
        those.forEach(stream -> stream.giveUp(cause));
        loop.flushes().now();
    }

    /** Whether a stream may wait for it; if so, it does. */
    boolean join(UpstreamStream stream) {
        boolean may = !ready && !gone && waiting.size() < pool.streamsEach;
        if (may) {
            waiting.add(stream);
        }
        return may;
    }

    void leave(UpstreamStream stream) {
        if (waiting.remove(stream) && waiting.isEmpty() && !ready) {
            gone = true;
            pool.remove(this);
            close();
        }
    }

    // ---- its streams

    /** Whether it can carry one more at once. */
    boolean hasRoom() {
        return canCarry() && !pool.isOld(connectedAt, loop.deadlines().now());
    }

    /** The same, for those that have waited for it, however old it is. */
    private boolean canCarry() {
        return ready && !ending && !suspect && streams < most() && channel != null && channel.isActive();
    }

    private int most() {
        return Math.min(Limits.UPSTREAM_STREAMS, codec.connection().local().maxActiveStreams());
    }

    /** Gives a stream its place; says whether it could. */
    boolean carry(UpstreamStream stream) {
        Channel carrier = channel;
        if (carrier == null) {
            return false;
        }
        Future<Http2StreamChannel> opening =
                new Http2StreamChannelBootstrap(carrier).handler(stream).open();
        if (!opening.isSuccess()) {
            return false;
        }
        stream.on(this, opening.getNow(), answered);
        if (used) {
            pool.lane.tally.reused();
        }
        if (streams == 0) {
            pool.lane.tally.idle(-1);
            pool.lane.tally.inUse(1);
        }
        used = true;
        streams++;
        if (!suspect) {
            deadline.cancel();
        }
        return true;
    }

    void ended() {
        streams--;
        if (streams == 0) {
            pool.lane.tally.inUse(-1);
            if (!gone) {
                pool.lane.tally.idle(1);
                rest();
            }
        }
    }

    /** A request on it has been answered; only from then on it is one that the service may close because it was idle. */
    void answered() {
        answered = true;
    }

    /** Whether what came on it was no HTTP/2. */
    boolean isMalformed() {
        return malformed;
    }

    /** With nothing to carry, it is kept for a while, unless it is to end. */
    private void rest() {
        if (streams > 0 || gone) {
            return;
        }
        if (ending
                || loop.isDraining()
                || pool.isOld(connectedAt, loop.deadlines().now())) {
            close();
        } else if (!suspect) {
            loop.pooledHttp2Idle.arm(deadline);
        }
    }

    /** A request on it was not answered in time. */
    void suspect() {
        if (!suspect && channel != null && channel.isActive()) {
            suspect = true;
            pool.lane.connects.arm(deadline);
            var unused = channel.writeAndFlush(new DefaultHttp2PingFrame(PING));
        }
    }

    private void trust() {
        if (suspect) {
            suspect = false;
            deadline.cancel();
            rest();
        }
    }

    private void overdue() {
        if (ready) {
            close();
            return;
        }
        List<UpstreamStream> those = waiting;
        waiting = new ArrayList<>();
        gone = true;
        pool.remove(this);
        close();
        those.forEach(UpstreamStream::overdue);
    }

    /** It takes no more requests, and closes when it has none. */
    void retire() {
        ending = ready;
        if (ready) {
            rest();
        }
    }

    private void close() {
        ending = true;
        deadline.cancel();
        if (channel != null) {
            var unused = channel.close();
        }
    }

    // ---- what comes in

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Http2SettingsFrame && !ready && !gone) {
            ready();
        } else if (message instanceof Http2GoAwayFrame) {
            retire();
        } else if (message instanceof Http2PingFrame ping && ping.ack()) {
            trust();
        }
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        loop.flushes().soon();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        deadline.cancel();
        if (ready && !gone) {
            gone = true;
            pool.remove(this);
            if (streams == 0) {
                pool.lane.tally.idle(-1);
            }
        } else {
            connectFailed(new ClosedChannelException());
        }
        loop.flushes().now();
    }

    /** What the service did wrong, the codec has answered by closing the connection. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        malformed |= cause instanceof Http2Exception;
        if (!(cause instanceof IOException) && !(cause instanceof Http2Exception) && !Tls.isFault(cause)) {
            loop.fault(cause);
            close();
        }
    }
}
