package dev.recloser.gateway.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a client that speaks HTTP/1. It hands each request to an {@link Exchange} and does not look at the next one before that has
 * ended and the rest of its request has been read: so pipelined requests are answered in order, and nothing is queued. Between
 * and after exchanges it decides how the connection goes on or ends.
 */
final class ClientConnection extends Http1Client implements ClientChannel {

    private ClientPhase phase = ClientPhase.IDLE;
    private @Nullable Exchange exchange;
    private boolean requestOpen;
    private int discarded;

    private final Deadline deadline = Deadline.of(this::overdue);

    /**
     * A new connection.
     *
     * @param secure whether TLS is in front of it
     */
    ClientConnection(Channel channel, RequestDecoder decoder, Loop loop, boolean secure) {
        super(channel, decoder, loop, secure);
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public boolean isRequestOpen() {
        return requestOpen;
    }

    // ---- what comes in

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        loop.clientIdle.arm(deadline);
        loop.opened(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpRequest request) {
            head(request);
        } else if (message instanceof HttpContent content) {
            content(content);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == Http2Preface.WHOLE) {
            toHttp2(ctx.pipeline());
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /** It is HTTP/2 that is spoken: others take over, from the first byte on. */
    private void toHttp2(ChannelPipeline pipeline) {
        deadline.cancel();
        Http2ClientConnection successor = new Http2ClientConnection(channel, loop, address(), isSecure());
        loop.replaced(this, successor);
        HalfClose.forbid(channel);
        pipeline.addLast(successor.handlers());
        pipeline.remove(this);
        pipeline.remove(decoder);
    }

    private void head(HttpRequest request) {
        deadline.cancel();
        phase = ClientPhase.BUSY;
        requestOpen = true;
        Exchange begun = new Exchange(this, loop, loop.deadlines().now());
        exchange = begun;
        if (request.decoderResult().isSuccess()) {
            begun.begin(request);
            return;
        }
        BadRequestException refusal =
                RequestDecoder.refusal(request.decoderResult().cause());
        ReferenceCountUtil.release(request);
        if (refusal == null) {
            begun.end(Ending.CLIENT_GONE);
        } else {
            begun.refuse(refusal);
        }
    }

    private void content(HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        Exchange current = exchange;
        if (content.decoderResult().isFailure()) {
            content.release();
            if (current == null) {
                linger();
            } else {
                current.refuse(
                        RequestDecoder.refusalOfBody(content.decoderResult().cause()));
            }
            return;
        }
        requestOpen &= !last;
        if (current != null) {
            current.requestContent(content);
            return;
        }
        discarded += content.content().readableBytes();
        content.release();
        if (phase == ClientPhase.DISCARDING && last) {
            ready();
        } else if (phase == ClientPhase.DISCARDING && discarded > Limits.DISCARD_BYTES) {
            linger();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        loop.flushes().soon();
        if (phase == ClientPhase.IDLE && decoder.isInTheMiddle()) {
            phase = ClientPhase.HEAD;
            loop.clientHead.arm(deadline);
        } else if (exchange != null) {
            exchange.balanceRequest();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!channel.isWritable()) {
            return;
        }
        if (exchange != null) {
            exchange.balanceAnswer();
        } else if (phase == ClientPhase.FULL) {
            ready();
        }
        loop.flushes().now();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        phase = ClientPhase.CLOSING;
        if (exchange != null) {
            exchange.end(Ending.CLIENT_GONE);
            exchange = null;
        }
        deadline.cancel();
        out().discard();
        loop.closed(this);
        loop.flushes().now();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException || Tls.isFault(cause)) {
            return; // the connection is lost: channelInactive comes, if it has not come yet
        }
        loop.fault(cause);
        if (exchange != null) {
            exchange.end(Ending.INTERNAL);
            loop.flushes().now();
        } else {
            close();
        }
    }

    private void overdue() {
        switch (phase) {
            case IDLE, FULL -> closeUnlessItTakes();
            case HEAD -> {
                phase = ClientPhase.BUSY;
                exchange = new Exchange(this, loop, loop.deadlines().now() - loop.clientHead.lengthNanos);
                exchange.end(Ending.CLIENT_SLOW);
            }
            case BUSY -> {
                if (exchange != null) {
                    exchange.clientOverdue();
                }
            }
            case DISCARDING, LINGERING, CLOSING -> close();
        }
    }

    /** A client that still takes its last answer is not idle. */
    private void closeUnlessItTakes() {
        if (loop.isDraining()) {
            closeWhenFlushed();
        } else if (out().isStillTaken()) {
            loop.clientStall.arm(deadline);
        } else {
            close();
        }
    }

    // ---- what an exchange asks for

    @Override
    public void answered(boolean close) {
        exchange = null;
        if (close) {
            if (requestOpen || decoder.isInTheMiddle()) {
                linger();
            } else {
                closeWhenFlushed();
            }
        } else if (requestOpen) {
            phase = ClientPhase.DISCARDING;
            discarded = 0;
            loop.clientBody.arm(deadline);
            decoder.resume();
        } else {
            ready();
        }
    }

    @Override
    public void breakOff(boolean reset) {
        exchange = null;
        phase = ClientPhase.CLOSING;
        deadline.cancel();
        out().flush();
        if (reset) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.unsafe().close(channel.newPromise()); // TLS would still say that this is the end
        } else {
            close();
        }
    }

    @Override
    public void tunnel(ChannelHandler end) {
        deadline.cancel();
        channel.pipeline().replace(decoder, null, end);
        channel.config().setAutoRead(true);
    }

    private void ready() {
        if (decoder.isAtEnd()) {
            closeWhenFlushed();
        } else if (channel.isWritable()) {
            phase = ClientPhase.IDLE;
            (loop.isDraining() ? loop.drainGrace : loop.clientIdle).arm(deadline);
            decoder.resume();
        } else {
            phase = ClientPhase.FULL;
            loop.clientStall.arm(deadline);
            decoder.stopReading();
        }
    }

    // ---- how it ends

    /** Closes the connection if it is idle, but for a request that may be on its way: it has a moment to come. */
    @Override
    public void drain() {
        if (phase == ClientPhase.IDLE) {
            loop.drainGrace.arm(deadline);
        }
    }

    @Override
    public void close() {
        var unused = channel.close();
    }

    void closeWhenFlushed() {
        phase = ClientPhase.CLOSING;
        loop.clientStall.arm(deadline);
        decoder.discardAll();
        out().flush(ChannelFutureListener.CLOSE);
    }

    /** Closing while the client is still sending would make its system throw the answer away. */
    private void linger() {
        exchange = null;
        phase = ClientPhase.LINGERING;
        loop.linger.arm(deadline);
        decoder.discardAll();
        out().flush(written -> Tls.shutdownOutput(channel));
    }
}
