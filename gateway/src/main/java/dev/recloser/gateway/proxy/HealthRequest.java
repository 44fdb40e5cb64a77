package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.HealthCheckConfig;
import dev.recloser.time.TimeSource;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One check of a destination: a {@code GET}, or a call of gRPC, on a connection of its own, which is closed when the headers of the answer have come. It tells
 * once how it went, on its event loop, which it never blocks.
 */
final class HealthRequest extends ChannelInboundHandlerAdapter implements Connector.Caller {

    static final String USER_AGENT = "recloser-health-check";

    private final Destination destination;
    private final HealthCheckConfig config;
    private final boolean http2;
    private final Consumer<@Nullable String> told;
    private @Nullable Channel channel;
    private @Nullable Future<?> timeout;
    private boolean done;

    /**
     * A check that is to be {@linkplain #send sent}.
     *
     * @param http2 whether HTTP/2 is spoken with it
     * @param told is told once what was wrong, or null if the answer is good
     */
    HealthRequest(Destination destination, HealthCheckConfig config, boolean http2, Consumer<@Nullable String> told) {
        this.destination = destination;
        this.config = config;
        this.http2 = http2;
        this.told = told;
    }

    /** Begins, on the event loop. */
    void send(EventLoop loop, Transport transport, TimeSource time) {
        timeout = loop.schedule(() -> end("no answer in time"), config.timeout().toNanos(), TimeUnit.NANOSECONDS);
        Connector connector = new Connector(destination, loop, transport, time, this);
        if (http2) {
            Http2MultiplexHandler streams = new Http2MultiplexHandler(new ChannelInboundHandlerAdapter());
            connector.open(Http2Codecs.ofServices(), streams, this);
        } else {
            connector.open(new HttpClientCodec(), this);
        }
    }

    @Override
    public boolean isWaiting() {
        return !done;
    }

    @Override
    public void connecting(Channel begun) {
        channel = begun;
    }

    @Override
    public void connectFailed(@Nullable Throwable cause) {
        if (cause instanceof UnknownHostException) {
            end("unknown host " + cause.getMessage());
        } else if (cause instanceof SSLException) {
            end("no connection by TLS: " + cause.getMessage());
        } else {
            end("no connection");
        }
    }

    @Override
    public void connected() {
        Channel open = channel;
        if (done || open == null) {
            return;
        }
        if (http2) {
            var unused = new Http2StreamChannelBootstrap(open)
                    .handler(new Http2HealthStream(destination, config, this::end))
                    .open();
        } else {
            ask(open);
        }
    }

    private void ask(Channel open) {
        FullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, config.path(), Unpooled.EMPTY_BUFFER);
        request.headers()
                .set(HttpHeaderNames.HOST, destination.authority())
                .set(HttpHeaderNames.USER_AGENT, USER_AGENT)
                .set(HttpHeaderNames.ACCEPT, "*/*")
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        var unused = open.writeAndFlush(request);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpResponse response) {
            answered(response);
        }
        ReferenceCountUtil.release(message);
    }

    private void answered(HttpResponse response) {
        int status = response.status().code();
        if (response.decoderResult().isFailure()) {
            end("an answer that is not valid HTTP");
        } else if (response.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
            end(config.statuses().contain(status) ? null : "status " + status);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end("the connection was closed before an answer");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        end("the connection broke");
    }

    private void end(@Nullable String problem) {
        if (done) {
            return;
        }
        done = true;
        if (timeout != null) {
            timeout.cancel(false);
        }
        if (channel != null) {
            var unused = channel.close();
        }
        told.accept(problem);
    }
}
