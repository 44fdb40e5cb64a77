package dev.recloser.gateway.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange becomes when the service agrees to go on in another protocol, such as WebSocket: bytes both ways, as they come. Each
 * side is read only while the other one keeps up. No clock runs; when one side has closed its connection, the other's is closed too, once
 * it has taken all.
 */
final class Tunnel {

    private final Client client;
    private final Upstream service;
    private final Loop loop;
    private final End fromClient;
    private final End fromService;
    private boolean closed;

    Tunnel(Client client, Upstream service, Measured measured, Loop loop) {
        this.client = client;
        this.service = service;
        this.loop = loop;
        this.fromClient = new End(service.out(), measured::requestBytes);
        this.fromService = new End(client.out(), measured::responseBytes);
    }

    /** Whether this is the agreement that was asked for. */
    static boolean isAgreed(RequestHead request, HttpResponse agreement) {
        AsciiString wanted = request.upgrade;
        String agreed = agreement.headers().get(HttpHeaderNames.UPGRADE);
        return wanted != null && agreed != null && wanted.contentEqualsIgnoreCase(agreed);
    }

    /** Passes the agreement on. What the client has sent behind its request follows at once. */
    void begin(HttpResponse agreement) {
        String protocol = agreement.headers().get(HttpHeaderNames.UPGRADE);
        Headers.towardsClient(agreement);
        agreement.headers().set(HttpHeaderNames.UPGRADE, protocol);
        agreement.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE);
        client.out().response(agreement.status(), agreement.headers());
        service.tunnel(fromService);
        client.tunnel(fromClient);
    }

    /** One of the two connections, in place of its decoder. */
    private final class End extends ChannelInboundHandlerAdapter {

        private final Outlet other;
        private final IntConsumer count;
        private @Nullable Channel channel;

        End(Outlet other, IntConsumer count) {
            this.other = other;
            this.count = count;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            channel = ctx.channel();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (!closed && message instanceof ByteBuf bytes) {
                count.accept(bytes.readableBytes());
                other.piece(bytes, Framing.CLOSE);
            } else {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            loop.flushes().soon();
            balance();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            fromClient.balance();
            fromService.balance();
        }

        void balance() {
            if (channel != null) {
                channel.config().setAutoRead(closed || other.isWritable());
            }
        }
    }

    /** What each side still has to take goes out, within the time that it may take nothing. */
    void close() {
        closed = true;
        var unused = service.detach();
        if (service.isOpen()) {
            service.pool().lane.bodies.arm(service.deadline());
        }
        service.out().flush(ChannelFutureListener.CLOSE);
        client.answered(true);
    }
}
