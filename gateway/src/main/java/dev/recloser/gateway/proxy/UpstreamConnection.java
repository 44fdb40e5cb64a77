package dev.recloser.gateway.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A connection of HTTP/1 to a service. It belongs to one {@link Exchange} at a time, or is idle in its {@link Pool}. */
final class UpstreamConnection extends UpstreamChannel implements Connector.Caller {

    private final Http1Pool pool;
    private final ResponseDecoder decoder = new ResponseDecoder(this);
    private @Nullable Outgoing out;
    private boolean used;
    private boolean reused;
    private boolean interim;
    private boolean readFailed;
    private @Nullable ChannelHandler tunnel;
    long connectedAt;
    boolean counted; // among those that there may be to its destination

    /** A connection that is to be {@linkplain #open opened} for this exchange. */
    UpstreamConnection(Http1Pool pool, Exchange exchange) {
        super(pool.loop, exchange);
        this.pool = pool;
        counted = pool.attempted();
    }

    @Override
    public void open() {
        pool.lane.connects.arm(deadline());
        loop.connector(pool.destination, this).open(decoder, this);
    }

    @Override
    public boolean isWaiting() {
        return exchange != null;
    }

    @Override
    public void connecting(Channel begun) {
        channel = begun;
        out = new Outgoing(begun, loop);
    }

    @Override
    public void connected() {
        if (isWaiting()) {
            connectedAt = loop.deadlines().now();
            pool.lane.tally.connected();
        }
        handOver();
        loop.flushes().now();
    }

    @Override
    public void connectFailed(@Nullable Throwable cause) {
        close();
        if (isWaiting() && cause instanceof IOException) {
            pool.connectFailed();
        }
        giveUp(cause);
        loop.flushes().now();
    }

    @Override
    public Pool pool() {
        return pool;
    }

    @Override
    public Outlet out() {
        Outgoing connected = out;
        if (connected == null) {
            throw new IllegalStateException("not connected");
        }
        return connected;
    }

    // ---- exchanges

    @Override
    public boolean isConnecting() {
        return !used;
    }

    boolean isIdle() {
        return exchange == null;
    }

    @Override
    public boolean isReused() {
        return reused;
    }

    @Override
    public boolean hasAnswered() {
        return decoder.bytesSeen();
    }

    @Override
    public boolean isReadFailed() {
        return readFailed || (channel != null && Tls.isCut(channel));
    }

    @Override
    public void begin(Exchange with, RequestHead request) {
        exchange = with;
        reused = used;
        used = true;
        pool.begun(reused);
        interim = false;
        deadline().cancel();
        decoder.expect(request);
    }

    @Override
    public void release(boolean reusable, Ending ending) {
        if (detach() != null) {
            pool.ended(ending);
        }
        if (reusable && !decoder.hasLeftover()) {
            setReading(true);
            pool.put(this, loop.pooledIdle.arm(deadline()));
        } else {
            close();
        }
    }

    @Override
    public @Nullable Exchange detach() {
        Exchange of = exchange;
        exchange = null;
        if (of != null) {
            pool.left(used);
        }
        return of;
    }

    @Override
    public void tunnel(ChannelHandler end) {
        deadline().cancel();
        tunnel = end;
    }

    @Override
    public void close() {
        deadline().cancel();
        if (channel != null) {
            var unused = channel.close();
        }
        pool.gone(this);
    }

    @Override
    void discard() {
        pool.remove(this);
        close();
    }

    @Override
    void overdue() {
        if (exchange == null) {
            discard();
        } else {
            exchange.upstreamOverdue(this);
        }
    }

    // ---- what comes in

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Exchange current = exchange;
        if (current == null) {
            ReferenceCountUtil.release(message);
            discard();
        } else if (message instanceof HttpResponse response) {
            head(current, response);
        } else if (message instanceof HttpContent content) {
            content(ctx, current, content);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    private void head(Exchange current, HttpResponse response) {
        if (response.decoderResult().isFailure()) {
            ReferenceCountUtil.release(response);
            current.badResponse(response.decoderResult().cause());
            return;
        }
        if (response.status().code() == 101) {
            current.upgraded(response);
            return;
        }
        interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (interim) {
            current.interim(response);
        } else {
            current.answerHead(response);
        }
    }

    private void content(ChannelHandlerContext ctx, Exchange current, HttpContent content) {
        if (tunnel != null) {
            content.release();
            ctx.pipeline().replace(decoder, null, tunnel);
        } else if (interim) {
            content.release(); // Netty ends interim answers as if they had a body
        } else if (content.decoderResult().isFailure()) {
            content.release();
            current.badResponse(content.decoderResult().cause());
        } else {
            current.answerContent(content);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        close();
        if (out != null) {
            out.discard();
        }
        Exchange current = detach();
        if (current == null) {
            pool.remove(this);
        } else {
            current.upstreamClosed(this);
        }
        loop.flushes().now();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (Tls.isFault(cause)) {
            readFailed = true;
            close();
        } else if (!(cause instanceof IOException)) {
            fault(cause);
        } else if (!ctx.channel().isOpen()) {
            return; // what was not written any more was not to be: channelInactive comes
        } else if (!((DuplexChannel) ctx.channel()).isOutputShutdown()) {
            readFailed = true; // the connection is lost: channelInactive comes
        } else if (exchange != null) {
            exchange.requestCut();
        }
        loop.flushes().now();
    }
}
