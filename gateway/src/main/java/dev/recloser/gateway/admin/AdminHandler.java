package dev.recloser.gateway.admin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Answers the requests of one connection. */
final class AdminHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final System.Logger LOG = System.getLogger("dev.recloser.gateway.admin");

    private final Endpoints endpoints;

    AdminHandler(Endpoints endpoints) {
        this.endpoints = endpoints;
    }

    /** Who does not read gets no more answers. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
        context.fireChannelWritabilityChanged();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        boolean malformed = request.decoderResult().isFailure();
        Reply reply = malformed
                ? Reply.problem(HttpResponseStatus.BAD_REQUEST, "the request is malformed")
                        .with("Connection", "close")
                : endpoints.answer(
                        request, ((InetSocketAddress) context.channel().localAddress()).getPort());
        var unused = context.writeAndFlush(response(reply, request.method().equals(HttpMethod.HEAD)));
    }

    private static FullHttpResponse response(Reply reply, boolean withoutBody) {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        ByteBuf content = withoutBody ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, reply.status(), content);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, reply.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("X-Content-Type-Options", "nosniff");
        reply.headers().forEach(response.headers()::set);
        return response;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            var unused = context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.log(Level.WARNING, "the admin server failed", cause);
        }
        var unused = context.close();
    }
}
