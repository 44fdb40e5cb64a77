package dev.recloser.gateway.admin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;

/** Answers the requests of one connection. */
final class AdminHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final System.Logger LOG = System.getLogger("dev.recloser.gateway.admin");

    private final Endpoints endpoints;
    private final EventStreams streams;

    AdminHandler(Endpoints endpoints, EventStreams streams) {
        this.endpoints = endpoints;
        this.streams = streams;
    }

    /** Who does not read gets no more answers: what was read already waits in the handler before this one. */
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
                : endpoints.answer(request);
        if (reply.isEvents()) {
            streamEvents(context, request, reply);
        } else {
            var unused = context.writeAndFlush(response(reply, request.method().equals(HttpMethod.HEAD)));
        }
    }

    /** From now on, this connection is for events only. */
    private void streamEvents(ChannelHandlerContext context, FullHttpRequest request, Reply reply) {
        boolean chunks = request.protocolVersion().isKeepAliveDefault();
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, reply.status());
        setHeaders(head, reply);
        HttpUtil.setTransferEncodingChunked(head, chunks);
        var unused = context.writeAndFlush(head);
        if (request.method().equals(HttpMethod.HEAD)) {
            var unusedEnd = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
        } else {
            context.pipeline().replace(this, "events", new EventStream(streams, context.channel()));
        }
    }

    private static FullHttpResponse response(Reply reply, boolean isHead) {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        boolean withoutBody = isHead || reply.status().equals(HttpResponseStatus.NOT_MODIFIED);
        ByteBuf content = withoutBody ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, reply.status(), content);
        setHeaders(response, reply);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return response;
    }

    private static void setHeaders(HttpResponse response, Reply reply) {
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, reply.contentType())
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("X-Content-Type-Options", "nosniff");
        reply.headers().forEach(response.headers()::set);
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
