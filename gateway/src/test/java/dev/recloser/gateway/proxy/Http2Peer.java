package dev.recloser.gateway.proxy;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client or a service that speaks HTTP/2 in a test. */
public final class Http2Peer implements AutoCloseable {

    private static final EventLoopGroup LOOPS = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    private final Channel channel;
    private final List<Http2Frames> streams = new CopyOnWriteArrayList<>();
    private final List<Channel> connections = new CopyOnWriteArrayList<>();
    private final List<String> goAways = new CopyOnWriteArrayList<>();
    private volatile Http2Settings settings = Http2Settings.defaultSettings();
    private @Nullable Consumer<Http2Frames> script;

    /** A client that is connected. */
    Http2Peer(InetSocketAddress gateway, @Nullable SslContext tls, Http2Settings settings) {
        this.settings = settings;
        this.channel = new Bootstrap()
                .group(LOOPS)
                .channel(NioSocketChannel.class)
                .handler(initializer(tls, false))
                .connect(gateway)
                .syncUninterruptibly()
                .channel();
    }

    public static Http2Peer client(InetSocketAddress gateway) {
        return new Http2Peer(gateway, null, Http2Settings.defaultSettings());
    }

    /** A service that does this with each request whose head has come. */
    Http2Peer(@Nullable SslContext tls, Http2Settings settings, Consumer<Http2Frames> script) {
        this.settings = settings;
        this.script = script;
        this.channel = new ServerBootstrap()
                .group(LOOPS)
                .channel(NioServerSocketChannel.class)
                .childHandler(initializer(tls, true))
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    static Http2Peer service(Consumer<Http2Frames> script) {
        return new Http2Peer(null, Http2Settings.defaultSettings(), script);
    }

    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** The streams that the other side has opened. */
    List<Http2Frames> streams() {
        return streams;
    }

    /** The connections that there have been. */
    List<Channel> connections() {
        return connections;
    }

    /** What the other side has said of the end of its connections: the last stream and the error. */
    List<String> goAways() {
        return goAways;
    }

    boolean isOpen() {
        return channel.isActive();
    }

    /** Opens a stream. */
    Http2Frames stream() {
        Http2Frames frames = new Http2Frames(null);
        new Http2StreamChannelBootstrap(channel).handler(frames).open().syncUninterruptibly();
        return frames;
    }

    public Http2Frames request(String method, String path, boolean end, String... more) {
        String[] headers = new String[8 + more.length];
        List<String> pseudo = List.of(":method", method, ":scheme", "http", ":path", path, ":authority", "test");
        for (int i = 0; i < headers.length; i++) {
            headers[i] = i < 8 ? pseudo.get(i) : more[i - 8];
        }
        return stream().headers(end, headers);
    }

    Http2Frames get(String path) {
        return request("GET", path, true);
    }

    private ChannelInitializer<Channel> initializer(@Nullable SslContext tls, boolean server) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel connection) {
                connections.add(connection);
                if (tls != null) {
                    connection.pipeline().addLast(tls.newHandler(connection.alloc(), "localhost", 0));
                }
                Http2FrameCodecBuilder codec =
                        server ? Http2FrameCodecBuilder.forServer() : Http2FrameCodecBuilder.forClient();
                codec.initialSettings(settings)
                        .encoderIgnoreMaxHeaderListSize(true)
                        .validateHeaders(false)
                        .gracefulShutdownTimeoutMillis(0);
                connection
                        .pipeline()
                        .addLast(
                                codec.build(),
                                new Http2MultiplexHandler(new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel stream) {
                                        Http2Frames frames = new Http2Frames(script);
                                        streams.add(frames);
                                        stream.pipeline().addLast(frames);
                                    }
                                }),
                                listener());
            }
        };
    }

    private ChannelHandler listener() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                if (message instanceof Http2GoAwayFrame frame) {
                    goAways.add(frame.lastStreamId() + " " + frame.errorCode());
                }
                ReferenceCountUtil.release(message);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                var unused = ctx.close();
            }
        };
    }

    /** Writes a frame to each connection that is open. */
    void tell(Http2Frame frame) {
        for (Channel connection : connections) {
            if (connection.isActive()) {
                connection.writeAndFlush(frame).syncUninterruptibly();
            }
        }
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        connections.forEach(connection -> connection.close().syncUninterruptibly());
    }
}
