package dev.recloser.gateway.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One side of a stream of HTTP/2 in a test: sends frames as it is told, and keeps those that come, each as a line of text. */
public final class Http2Frames extends ChannelInboundHandlerAdapter {

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final @Nullable Consumer<Http2Frames> onHead;
    private volatile @Nullable Channel channel;
    private volatile @Nullable Http2Headers head;

    Http2Frames(@Nullable Consumer<Http2Frames> onHead) {
        this.onHead = onHead;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
    }

    Channel channel() {
        Channel open = channel;
        if (open == null) {
            throw new IllegalStateException("no stream");
        }
        return open;
    }

    // ---- what is sent

    /** Names and values in turn. */
    Http2Frames headers(boolean end, String... namesAndValues) {
        Http2Headers headers = new DefaultHttp2Headers(false);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        var unused = channel().writeAndFlush(new DefaultHttp2HeadersFrame(headers, end));
        return this;
    }

    public Http2Frames data(String text, boolean end) {
        return data(text.getBytes(StandardCharsets.ISO_8859_1), end);
    }

    Http2Frames data(byte[] bytes, boolean end) {
        var unused = channel()
                .writeAndFlush(
                        new DefaultHttp2DataFrame(channel().alloc().buffer().writeBytes(bytes), end));
        return this;
    }

    void reset(Http2Error why) {
        var unused = channel().writeAndFlush(new DefaultHttp2ResetFrame(why));
    }

    // ---- what has come

    /** The first head that came. */
    Http2Headers head() {
        Http2Headers first = head;
        if (first == null) {
            throw new IllegalStateException("no head");
        }
        return first;
    }

    /** The next frame: {@code HEADERS 200}, {@code DATA hello END}, {@code TRAILERS grpc-status=0 END}, {@code RESET 8}, {@code CLOSED}. */
    String next() throws InterruptedException {
        String frame = received.poll(RawConnection.BOUND.toMillis(), TimeUnit.MILLISECONDS);
        if (frame == null) {
            throw new AssertionError("no frame came");
        }
        return frame;
    }

    /** All frames until the stream is closed. */
    public List<String> all() throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (String frame = next(); !frame.equals("CLOSED"); frame = next()) {
            all.add(frame);
        }
        return all;
    }

    /** The whole answer in one text: the status, the body, what the trailers say. */
    String answer() throws InterruptedException {
        StringBuilder answer = new StringBuilder();
        for (String frame : all()) {
            String[] parts = frame.split(" ", 2);
            answer.append(parts[0].equals("DATA") ? parts[1].replaceAll(" ?END$", "") : " " + frame + " ");
        }
        return answer.toString().strip().replaceAll(" +", " ");
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Http2HeadersFrame frame) {
            headers(frame);
        } else if (message instanceof Http2DataFrame frame) {
            received.add("DATA " + frame.content().toString(StandardCharsets.ISO_8859_1)
                    + (frame.isEndStream() ? " END" : ""));
        }
        ReferenceCountUtil.release(message);
    }

    private void headers(Http2HeadersFrame frame) {
        String end = frame.isEndStream() ? " END" : "";
        Http2Headers headers = frame.headers();
        if (headers.status() != null || headers.method() != null) {
            boolean first = head == null;
            head = headers;
            received.add("HEADERS " + (headers.status() == null ? headers.method() : headers.status()) + end);
            if (first && onHead != null) {
                onHead.accept(this);
            }
        } else {
            StringBuilder trailers = new StringBuilder("TRAILERS");
            headers.forEach(each ->
                    trailers.append(' ').append(each.getKey()).append('=').append(each.getValue()));
            received.add(trailers + end);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame frame) {
            received.add("RESET " + frame.errorCode());
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        received.add("CLOSED");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        received.add("FAULT " + cause.getMessage());
    }
}
