package dev.recloser.gateway.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a connection of HTTP/1 to a service and a stream of HTTP/2 have in common: whose they are, how the wait for them ends, back-pressure. */
abstract class UpstreamChannel extends ChannelInboundHandlerAdapter implements Upstream {

    final Loop loop;

    @Nullable
    Exchange exchange;

    @Nullable
    Channel channel;

    private final Deadline deadline = Deadline.of(this::overdue);

    /**
     * What is to be {@linkplain #open opened}.
     *
     * @param exchange for which, if for any
     */
    UpstreamChannel(Loop loop, @Nullable Exchange exchange) {
        this.loop = loop;
        this.exchange = exchange;
    }

    @Override
    public final Deadline deadline() {
        return deadline;
    }

    /** The time is up for what was waited for. */
    abstract void overdue();

    @Override
    public final boolean isOpen() {
        return channel != null && channel.isActive();
    }

    @Override
    public final void setReading(boolean reading) {
        if (channel != null) {
            channel.config().setAutoRead(reading);
        }
    }

    /** It can be used by the exchange, if that still wants it. */
    final void handOver() {
        Exchange waiting = exchange;
        if (waiting == null) {
            close();
            return;
        }
        deadline.cancel();
        try {
            waiting.connected(this);
        } catch (RuntimeException e) { // Netty would log it, and nobody would wake the exchange
            fault(e);
        }
    }

    /** There will be no connection. */
    final void giveUp(@Nullable Throwable cause) {
        deadline.cancel();
        Exchange waiting = detach();
        if (waiting == null) {
            return;
        }
        if (cause instanceof IOException || cause instanceof Http2Exception) {
            pool().ended(Ending.CONNECT);
            waiting.connectFailed(this);
        } else {
            loop.fault(new IllegalStateException("cannot connect to " + pool().destination, cause));
            waiting.end(Ending.INTERNAL);
        }
    }

    /** Something went wrong here that is nobody's fault but the gateway's. */
    final void fault(Throwable cause) {
        loop.fault(cause);
        if (exchange != null) {
            exchange.end(Ending.INTERNAL);
        }
        discard();
    }

    /** Closes it, whether an exchange has it or nobody; no request finds it any more. */
    abstract void discard();

    @Override
    public final void channelReadComplete(ChannelHandlerContext ctx) {
        loop.flushes().soon();
        if (exchange != null) {
            exchange.balanceAnswer();
        }
    }

    @Override
    public final void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (exchange != null) {
            exchange.balanceRequest();
            loop.flushes().now();
        }
    }
}
