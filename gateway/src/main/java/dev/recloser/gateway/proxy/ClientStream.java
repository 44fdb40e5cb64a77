package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ClientsConfig.Sizes;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A stream of HTTP/2 of a client, which is one request and its answer. The others on its connection go on whatever becomes of it. */
final class ClientStream extends ChannelInboundHandlerAdapter implements Client {

    private final Http2StreamChannel channel;
    private final Http2ClientConnection connection;
    private final Loop loop;
    private final Http2Outlet out;
    private final ArrayDeque<HttpContent> held = new ArrayDeque<>();
    private @Nullable Exchange exchange;
    private boolean begun;
    private int fields;
    private boolean requestOpen = true;
    private boolean paused;
    private boolean handingOut;

    private final Deadline deadline = Deadline.of(this::overdue);

    ClientStream(Http2StreamChannel channel, Http2ClientConnection connection, Loop loop) {
        this.channel = channel;
        this.connection = connection;
        this.loop = loop;
        this.out = new Http2Outlet(channel, loop, false);
    }

    @Override
    public AsciiString address() {
        return connection.address();
    }

    @Override
    public boolean isSecure() {
        return connection.isSecure();
    }

    @Override
    public boolean isDuplex() {
        return true;
    }

    @Override
    public Outlet out() {
        return out;
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    // ---- the request

    @Override
    public boolean isRequestOpen() {
        return requestOpen;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connection.opened(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof Http2HeadersFrame headers) {
                headers(headers);
            } else if (message instanceof Http2DataFrame data) {
                content(
                        data.isEndStream()
                                ? new DefaultLastHttpContent(data.content().retain())
                                : new DefaultHttpContent(data.content().retain()));
            }
        } catch (IllegalArgumentException e) {
            refuse(e);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void headers(Http2HeadersFrame frame) {
        fields += frame.headers().size();
        if (begun) {
            trailers(frame);
            return;
        }
        begun = true;
        requestOpen = !frame.isEndStream();
        Exchange made = new Exchange(this, loop, loop.deadlines().now());
        exchange = made;
        Sizes most = loop.clients().sizes();
        if (fields > most.headerFields()) {
            made.refuse(BadRequestException.tooManyHeaders());
            return;
        }
        CharSequence path = frame.headers().path();
        if (path != null && path.length() > most.requestLine()) {
            made.refuse(new BadRequestException(414, "The :path is too long."));
            return;
        }
        HttpRequest request = Http2Messages.request(frame.headers(), frame.isEndStream());
        made.begin(request);
    }

    private void trailers(Http2HeadersFrame frame) {
        if (exchange != null && fields > loop.clients().sizes().headerFields()) {
            exchange.refuse(BadRequestException.tooManyHeaders());
        } else {
            content(Http2Messages.trailers(frame.headers()));
        }
    }

    private void refuse(IllegalArgumentException malformed) {
        if (exchange != null) {
            exchange.refuse(new BadRequestException(String.valueOf(malformed.getMessage())));
        }
    }

    private void content(HttpContent content) {
        if (paused) {
            held.add(content); // what was on its way when reading was stopped
        } else {
            handOut(content);
        }
    }

    private void handOut(HttpContent content) {
        requestOpen &= !(content instanceof LastHttpContent);
        if (exchange == null) {
            content.release();
        } else {
            exchange.requestContent(content);
        }
    }

    /** A stream that is not read, and has something to be read, would not end by itself. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame) {
            loop.eventLoop().execute(this::close);
        }
        ReferenceCountUtil.release(event);
    }

    /** Whatever is under way is over. */
    void close() {
        var unused = channel.close();
    }

    @Override
    public void pauseRequest() {
        paused = true;
        channel.config().setAutoRead(false);
    }

    @Override
    public void stopRequest() {
        pauseRequest();
    }

    @Override
    public void resumeRequest() {
        paused = false;
        if (handingOut) {
            return;
        }
        handingOut = true;
        try {
            while (!paused && !held.isEmpty()) {
                handOut(held.remove());
            }
        } finally {
            handingOut = false;
        }
        if (!paused) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        loop.flushes().soon();
        if (exchange != null) {
            exchange.balanceRequest();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable() && exchange != null) {
            exchange.balanceAnswer();
            loop.flushes().now();
        }
    }

    // ---- the end

    /** Its connection ends by itself. */
    @Override
    public boolean isLast() {
        return false;
    }

    /** What the client still sends is not wanted, which it is told once it has got the answer (RFC 9113, section 8.1). */
    @Override
    public void answered(boolean close) {
        exchange = null;
        loop.clientStall.arm(deadline);
        resumeRequest();
        if (requestOpen) {
            out.flush(written -> reset(Http2Error.NO_ERROR));
        }
    }

    @Override
    public void breakOff(boolean reset) {
        exchange = null;
        out.flush();
        reset(Http2Error.CANCEL); // others would count against the client, whose connection Netty would close at last
    }

    private void reset(Http2Error why) {
        if (channel.isActive()) {
            var unused = channel.writeAndFlush(new DefaultHttp2ResetFrame(why));
            close();
        }
    }

    @Override
    public void tunnel(ChannelHandler end) {
        throw new IllegalStateException("a stream is no tunnel");
    }

    private void overdue() {
        if (exchange != null) {
            exchange.clientOverdue();
        } else if (out.isStillTaken()) {
            loop.clientStall.arm(deadline);
        } else {
            reset(Http2Error.CANCEL);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        Exchange current = exchange;
        exchange = null;
        if (current != null) {
            current.end(Ending.CLIENT_GONE);
        }
        deadline.cancel();
        out.discard();
        held.forEach(HttpContent::release);
        held.clear();
        connection.ended(this);
        loop.flushes().now();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException || cause instanceof Http2Exception) {
            return; // the client's doing; channelInactive comes
        }
        loop.fault(cause);
        if (exchange != null) {
            exchange.end(Ending.INTERNAL);
            loop.flushes().now();
        } else {
            reset(Http2Error.INTERNAL_ERROR);
        }
    }
}
