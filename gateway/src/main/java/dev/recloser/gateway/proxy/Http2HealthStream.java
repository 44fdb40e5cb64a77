package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.HealthCheckConfig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A check of a destination that speaks HTTP/2: a {@code GET}, or a call of {@code grpc.health.v1.Health/Check}, whose messages are so small
 * that they are written and read here by hand.
 */
final class Http2HealthStream extends ChannelInboundHandlerAdapter {

    /** A message that is not compressed, of two bytes: field 1, the status, is 1, SERVING. */
    private static final byte[] SERVING = {0, 0, 0, 0, 2, 8, 1};

    private static final int LONGEST = 64;

    private final Destination destination;
    private final HealthCheckConfig config;
    private final Consumer<@Nullable String> told;
    private final ByteBuf message = Unpooled.buffer(SERVING.length, LONGEST);
    private boolean tooLong;

    /**
     * A check that begins when this is put on a stream.
     *
     * @param told is told what was wrong, or null if the answer is good; perhaps more than once
     */
    Http2HealthStream(Destination destination, HealthCheckConfig config, Consumer<@Nullable String> told) {
        this.destination = destination;
        this.config = config;
        this.told = told;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        Optional<String> service = config.grpcService();
        Http2Headers headers = new DefaultHttp2Headers(false)
                .method(service.isPresent() ? "POST" : "GET")
                .scheme(destination.tls() == null ? "http" : "https")
                .path(config.path())
                .authority(destination.authority())
                .add("user-agent", HealthRequest.USER_AGENT);
        if (service.isPresent()) {
            headers.add("content-type", "application/grpc").add("te", "trailers");
        }
        var unused = ctx.write(new DefaultHttp2HeadersFrame(headers, service.isEmpty()));
        service.ifPresent(name -> {
            var unusedToo = ctx.write(new DefaultHttp2DataFrame(question(name), true));
        });
        ctx.flush();
    }

    /** Field 1 is the name of the service; one that is empty is left out. */
    private static ByteBuf question(String service) {
        byte[] name = service.getBytes(StandardCharsets.UTF_8);
        ByteBuf field = Unpooled.buffer();
        if (name.length > 0) {
            field.writeByte(0x0a);
            for (int rest = name.length; ; rest >>>= 7) {
                field.writeByte(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
                if (rest <= 0x7f) {
                    break;
                }
            }
            field.writeBytes(name);
        }
        ByteBuf question =
                Unpooled.buffer().writeByte(0).writeInt(field.readableBytes()).writeBytes(field);
        field.release();
        return question;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
        if (frame instanceof Http2HeadersFrame headers) {
            headers(headers.headers(), headers.isEndStream());
        } else if (frame instanceof Http2DataFrame data) {
            tooLong |= data.content().readableBytes() > message.maxWritableBytes();
            if (!tooLong) {
                message.writeBytes(data.content());
            }
        }
        ReferenceCountUtil.release(frame);
    }

    private void headers(Http2Headers headers, boolean end) {
        CharSequence status = headers.status();
        if (status != null) {
            head(status.toString(), end);
        }
        if (end && config.grpcService().isPresent()) {
            verdict(headers.get("grpc-status"));
        }
    }

    private void head(String status, boolean end) {
        if (config.grpcService().isPresent()) {
            if (!status.equals("200")) {
                told.accept("status " + status);
            }
        } else if (!status.startsWith("1") || end) {
            boolean good = status.length() == 3
                    && status.chars().allMatch(Character::isDigit)
                    && config.statuses().contain(Integer.parseInt(status));
            told.accept(good ? null : "status " + status);
        }
    }

    private void verdict(@Nullable CharSequence grpcStatus) {
        if (grpcStatus == null || !grpcStatus.toString().equals("0")) {
            told.accept("grpc-status " + grpcStatus);
        } else {
            boolean serving = !tooLong && Arrays.equals(ByteBufUtil.getBytes(message), SERVING);
            told.accept(serving ? null : "the service says that it does not serve");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        message.release();
        told.accept("the request was reset before an answer");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        told.accept("an answer that is not valid HTTP/2");
    }
}
