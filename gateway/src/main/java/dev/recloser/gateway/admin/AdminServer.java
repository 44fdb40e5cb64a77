package dev.recloser.gateway.admin;

import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.gateway.proxy.CannotListenException;
import dev.recloser.time.TimeSource;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A small HTTP server for operators, on an address and a thread of its own: it answers when the gateway is busy, and nobody who
 * reaches the gateway reaches it.
 *
 * <p>It asks for no password. Whoever reaches its address may open and close circuits, so bind it to where only operators are; and
 * a web page of somebody else's cannot do so through an operator's browser, since changes with a foreign {@code Origin} are refused.
 */
public final class AdminServer implements AutoCloseable {

    private static final int LARGEST_BODY = 64 * 1024;
    private static final int IDLE_SECONDS = 60;
    private static final int SHUTDOWN_MILLIS = 500;

    private final EventLoopGroup loop;
    private final Channel channel;

    private AdminServer(EventLoopGroup loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    /**
     * Starts a server for a gateway.
     *
     * @throws IOException when it cannot listen there
     */
    public static AdminServer start(HostPort listen, Gateway gateway) throws IOException {
        List<Circuit> circuits = gateway.clusters().values().stream()
                .map(cluster -> new Circuit(
                        cluster.config(),
                        cluster.breaker(),
                        cluster.counters()::byReason,
                        cluster.counters()::inFlight))
                .toList();
        return start(listen, circuits, gateway::isDraining);
    }

    /**
     * Starts a server.
     *
     * @param listen where
     * @param circuits what it shows
     * @param draining whether the gateway is going down
     * @throws IOException when it cannot listen there
     */
    static AdminServer start(HostPort listen, List<Circuit> circuits, BooleanSupplier draining) throws IOException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("recloser-admin", true), NioIoHandler.newFactory());
        Endpoints endpoints = new Endpoints(circuits, draining, listen.host(), TimeSource.system());
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel client) {
                        client.pipeline()
                                .addLast(new IdleStateHandler(0, 0, IDLE_SECONDS))
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpServerKeepAliveHandler())
                                .addLast(new HttpObjectAggregator(LARGEST_BODY))
                                .addLast(new AdminHandler(endpoints));
                    }
                });
        ChannelFuture bound = bootstrap.bind(listen.host(), listen.port()).awaitUninterruptibly();
        Throwable failure = bound.cause();
        if (failure != null) {
            shutDown(loop);
            throw new CannotListenException(listen, failure);
        }
        return new AdminServer(loop, bound.channel());
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        shutDown(loop);
    }

    private static void shutDown(EventLoopGroup loop) {
        loop.shutdownGracefully(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(SHUTDOWN_MILLIS);
    }
}
