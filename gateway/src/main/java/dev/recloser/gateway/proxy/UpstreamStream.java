package dev.recloser.gateway.proxy;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A stream of HTTP/2 to a service, which is one request and its answer. It waits for a connection first, if there is none yet. */
final class UpstreamStream extends UpstreamChannel {

    private final Http2Pool pool;
    private @Nullable Http2UpstreamConnection connection;
    private @Nullable Http2Outlet out;
    private boolean reused;
    private boolean bytesSeen;
    private Http2Answer answer = new Http2Answer(false);
    private boolean reset;
    private boolean unrepeatable;

    /**
     * A stream for a request that is under way at the destination from now on.
     *
     * @param exchange whose request it is, if it is to be {@linkplain #open opened} for that
     */
    UpstreamStream(Http2Pool pool, @Nullable Exchange exchange) {
        super(pool.loop, exchange);
        this.pool = pool;
        pool.underway.begun();
    }

    @Override
    public Pool pool() {
        return pool;
    }

    @Override
    public Outlet out() {
        Http2Outlet connected = out;
        if (connected == null) {
            throw new IllegalStateException("not connected");
        }
        return connected;
    }

    // ---- connecting

    @Override
    public void open() {
        pool.lane.connects.arm(deadline());
        pool.await(this);
    }

    /** It has its place on a connection. */
    void on(Http2UpstreamConnection carrier, Http2StreamChannel own, boolean carrierUsed) {
        connection = carrier;
        channel = own;
        out = new Http2Outlet(own, loop, pool.destination.tls() != null);
        reused = carrierUsed;
    }

    @Override
    public boolean isConnecting() {
        return channel == null;
    }

    /** A service that resets one stream has not closed an idle connection, unless it says that it has not seen a request that can go again. */
    @Override
    public boolean isReused() {
        return reused && !reset;
    }

    @Override
    public boolean hasAnswered() {
        return bytesSeen;
    }

    /** A stream that ends without having said so is never the end of a body. */
    @Override
    public boolean isReadFailed() {
        return false;
    }

    // ---- exchanges

    @Override
    public void begin(Exchange with, RequestHead request) {
        exchange = with;
        answer = new Http2Answer(request.isHead());
        unrepeatable = !request.isRepeatable();
        deadline().cancel();
    }

    @Override
    public void release(boolean reusable, Ending ending) {
        if (detach() != null) {
            pool.ended(ending);
        }
        if (ending == Ending.TIMEOUT && connection != null) {
            connection.suspect();
        }
        if (reusable && !out().hasPending()) {
            deadline().cancel();
            return;
        }
        if (out != null) {
            out.takeBack();
        }
        close();
    }

    @Override
    public @Nullable Exchange detach() {
        Exchange of = exchange;
        exchange = null;
        if (of != null) {
            pool.underway.ended();
        }
        return of;
    }

    @Override
    public void tunnel(ChannelHandler end) {
        throw new IllegalStateException("a stream is no tunnel");
    }

    /** Takes back the request, if it has not been answered in full. */
    @Override
    public void close() {
        deadline().cancel();
        if (channel != null) {
            var unused = channel.close();
        } else {
            pool.leave(this);
        }
    }

    @Override
    void overdue() {
        if (exchange != null) {
            exchange.upstreamOverdue(this);
        }
    }

    @Override
    void discard() {
        close();
    }

    // ---- what comes in

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Exchange current = exchange;
        bytesSeen = true;
        try {
            if (current == null) {
                return;
            }
            if (message instanceof Http2HeadersFrame headers) {
                headers(current, headers);
            } else if (message instanceof Http2DataFrame data) {
                current.answerContent(answer.piece(data));
            }
        } catch (IllegalArgumentException e) {
            if (current != null) {
                current.badResponse(e);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void headers(Exchange current, Http2HeadersFrame frame) {
        if (answer.hasHead()) {
            current.answerContent(answer.end(frame));
            return;
        }
        HttpResponse response = answer.head(frame);
        if (!answer.hasHead()) {
            current.interim(response);
            return;
        }
        if (connection != null) {
            connection.answered();
        }
        current.answerHead(response);
        if (frame.isEndStream() && exchange == current) { // and not tried again elsewhere
            current.answerContent(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame frame) {
            reset = unrepeatable || frame.errorCode() != Http2Error.REFUSED_STREAM.code();
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        deadline().cancel();
        if (out != null) {
            out.discard();
        }
        if (connection != null) {
            connection.ended();
        }
        if (exchange != null && connection != null && connection.isMalformed()) {
            exchange.badResponse(null);
        }
        Exchange current = detach();
        if (current != null) {
            current.upstreamClosed(this);
        }
        loop.flushes().now();
    }

    /** What was malformed, the codec has reset. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof Http2Exception) {
            if (exchange != null) {
                exchange.badResponse(cause);
            }
        } else if (!(cause instanceof IOException)) {
            fault(cause);
        }
        loop.flushes().now();
    }
}
