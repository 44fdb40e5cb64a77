package dev.recloser.gateway.admin;

import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.config.AdminConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.gateway.metrics.Exposition;
import dev.recloser.gateway.metrics.GatewayMetrics;
import dev.recloser.gateway.proxy.CannotListenException;
import dev.recloser.time.TimeSource;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A small HTTP server for operators, on an address and a thread of its own: it answers when the gateway is busy, and nobody who
 * reaches the gateway reaches it.
 *
 * <p>Whoever reaches its address may look. Circuits are changed by those only who present the token, if there is one; and a web page of
 * somebody else's cannot do so through an operator's browser, since changes with a foreign {@code Origin} are refused.
 */
public final class AdminServer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.recloser.gateway.admin");
    private static final int LARGEST_BODY = 64 * 1024;

    /** There are never more requests in it than the codec lets wait for their answers, which are 128. */
    private static final int READ_BYTES = 1024;

    private static final int IDLE_SECONDS = 60;
    private static final int SHUTDOWN_MILLIS = 500;

    private final EventLoopGroup loop;
    private final Channel channel;
    private final ChannelGroup connections;
    private final EventStreams streams;
    private final Registration listening;

    private AdminServer(
            EventLoopGroup loop,
            Channel channel,
            ChannelGroup connections,
            EventStreams streams,
            Registration listening) {
        this.loop = loop;
        this.channel = channel;
        this.connections = connections;
        this.streams = streams;
        this.listening = listening;
    }

    /**
     * Starts a server for a gateway.
     *
     * @throws IOException when it cannot listen there
     */
    public static AdminServer start(AdminConfig config, Gateway gateway) throws IOException {
        GatewayMetrics metrics = new GatewayMetrics(gateway);
        return start(
                config,
                () -> gateway.clusters().values().stream().map(Circuit::of).toList(),
                listener -> gateway.forEachCluster(cluster -> cluster.breaker().addListener(listener)),
                () -> !gateway.isReady(),
                metrics::scrape,
                metrics::close);
    }

    /** Starts a server for circuits that stay the same. */
    static AdminServer start(
            AdminConfig config,
            List<Circuit> circuits,
            BooleanSupplier draining,
            Function<String, Exposition> metrics,
            Registration counting)
            throws IOException {
        return start(
                config,
                () -> circuits,
                listener -> Registration.all(circuits.stream()
                        .map(circuit -> circuit.breaker().addListener(listener))
                        .toList()),
                draining,
                metrics,
                counting);
    }

    /**
     * Starts a server.
     *
     * @param config where, and the token that changes need
     * @param source tells what it shows, at any moment
     * @param listening adds a listener to all circuits that there are and will be
     * @param draining whether the gateway is going down
     * @param metrics all metrics, in a format that an {@code Accept} header takes
     * @param counting what counts for the metrics, and is removed when the server is closed, or cannot start
     * @throws IOException when it cannot listen there
     */
    private static AdminServer start(
            AdminConfig config,
            Supplier<List<Circuit>> source,
            Function<CircuitListener, Registration> listening,
            BooleanSupplier draining,
            Function<String, Exposition> metrics,
            Registration counting)
            throws IOException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("recloser-admin", true), NioIoHandler.newFactory());
        TimeSource time = TimeSource.system();
        Circuits circuits = new Circuits(source, time);
        LiveFeed feed = new LiveFeed(circuits, draining, time);
        EventStreams streams = feed.streams();
        Endpoints endpoints = new Endpoints(circuits, streams, draining, new Permission(config), metrics);
        Registration listener = Registration.all(List.of(listening.apply(feed.listener(loop)), counting));
        ChannelGroup connections = new DefaultChannelGroup(loop.next(), true);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel client) {
                        connections.add(client);
                        client.pipeline()
                                .addLast(new IdleStateHandler(0, 0, IDLE_SECONDS))
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpServerKeepAliveHandler())
                                .addLast(new HttpObjectAggregator(LARGEST_BODY))
                                .addLast(new FlowControlHandler())
                                .addLast(new AdminHandler(endpoints, streams));
                    }
                });
        HostPort listen = config.listen();
        ChannelFuture bound = bootstrap.bind(listen.host(), listen.port()).awaitUninterruptibly();
        Throwable failure = bound.cause();
        if (failure != null) {
            listener.remove();
            shutDown(loop);
            throw new CannotListenException(listen, failure);
        }
        var unused = loop.scheduleAtFixedRate(
                guarded(feed::tick), LiveFeed.TICK_MILLIS, LiveFeed.TICK_MILLIS, TimeUnit.MILLISECONDS);
        return new AdminServer(loop, bound.channel(), connections, streams, listener);
    }

    /** A task that fails once must not end those that follow. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "the dashboard missed a tick", e);
            }
        };
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** Stops at once, and closes all connections; streams of events are ended first. Idempotent. */
    @Override
    public void close() {
        if (loop.isShuttingDown()) {
            return;
        }
        listening.remove();
        channel.close().awaitUninterruptibly();
        loop.submit(streams::end).awaitUninterruptibly(SHUTDOWN_MILLIS);
        // A loop that is shut down without a quiet period may end without having closed its connections.
        connections.close().awaitUninterruptibly(SHUTDOWN_MILLIS);
        shutDown(loop);
    }

    private static void shutDown(EventLoopGroup loop) {
        loop.shutdownGracefully(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(SHUTDOWN_MILLIS);
    }
}
