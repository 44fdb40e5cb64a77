package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.time.TimeSource;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The data plane: event loops, the socket that listens, and what all loops share. Thread-safe. */
public final class Server {

    /** The system property for the number of event loops; by default one for each processor. */
    private static final String LOOPS_PROPERTY = "recloser.loops";

    private static final Pattern LOOPS = Pattern.compile("[1-9][0-9]{0,3}");

    private final Transport transport = Transport.chosen();
    private final TimeSource time = TimeSource.system();
    private final @Nullable AccessListener accessListener;
    private final Counters unrouted = new Counters();
    private final IoEventLoopGroup group;
    private final Map<EventLoop, Loop> loops = new HashMap<>();
    private final AtomicInteger openClients = new AtomicInteger();
    private final LongAdder acceptedClients = new LongAdder();
    private final ClientLimit clientLimit = new ClientLimit();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final Channel listener;
    private volatile Plan plan;
    private volatile boolean listening = true;
    private volatile boolean draining;
    private volatile boolean stopping;

    /**
     * Starts to serve.
     *
     * @param accessListener who is told of every request that has ended, if anybody
     * @throws IOException when nothing can listen at the configured address
     */
    public Server(GatewayConfig config, @Nullable AccessListener accessListener) throws IOException {
        this.accessListener = accessListener;
        this.plan = Plan.of(config, null, time);
        this.group = new MultiThreadIoEventLoopGroup(
                loopCount(), new DefaultThreadFactory("recloser-gateway"), transport.ioHandlerFactory());
        for (EventExecutor executor : group) {
            EventLoop eventLoop = (EventLoop) executor;
            loops.put(eventLoop, new Loop(eventLoop, this, plan));
        }
        this.listener = listen(config.listen());
        checkAll(plan);
    }

    private void checkAll(Plan current) {
        current.clusters().values().forEach(cluster -> cluster.check(() -> (EventLoop) group.next(), transport));
    }

    private static int loopCount() {
        String written = System.getProperty(LOOPS_PROPERTY);
        if (written == null) {
            return Runtime.getRuntime().availableProcessors();
        }
        if (!LOOPS.matcher(written).matches()) {
            throw new BadPropertyException(LOOPS_PROPERTY, written, "a whole number from 1 to 9999");
        }
        return Integer.parseInt(written);
    }

    private Channel listen(HostPort address) throws IOException {
        ChannelFuture bound = transport
                .serverBootstrap()
                .group(group)
                .childHandler(new ClientInitializer())
                .bind(address.host(), address.port())
                .awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            stopLoops();
            throw new CannotListenException(address, cause);
        }
        return bound.channel();
    }

    /** Sets up the connection of a client, on the loop that it was given to. */
    private final class ClientInitializer extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            Loop loop = loops.get(channel.eventLoop());
            if (loop == null) {
                throw new IllegalStateException("a connection on an event loop of another server");
            }
            if (!clientLimit.letsIn(channel, loop.clients().connections())) {
                var unused = channel.close();
                return;
            }
            SslContext tls = plan.tls();
            if (tls != null) {
                SslHandler handshake = tls.newHandler(channel.alloc());
                handshake.setHandshakeTimeoutMillis(TimeUnit.NANOSECONDS.toMillis(loop.clientHead.lengthNanos));
                channel.pipeline().addLast(handshake);
            }
            RequestDecoder decoder = new RequestDecoder(loop.clients().sizes());
            ClientConnection client = new ClientConnection(channel, decoder, loop, tls != null);
            channel.pipeline().addLast(decoder, client);
            if (tls == null && loop.clients().halfClose()) {
                HalfClose.allow(channel, client);
            }
        }
    }

    /** Where clients connect. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** The clusters by name, in the order of the configuration. */
    public Map<String, Cluster> clusters() {
        return plan.clusters();
    }

    /**
     * Serves by another configuration from now on; where it listens stays as it is. Requests under way end by the settings with which they
     * began. When this returns, every event loop serves by the new one. To be called by one thread at a time.
     *
     * @param beforehand what to do when {@link #clusters} are the new ones, but no request comes to them yet
     */
    public void serve(GatewayConfig config, Runnable beforehand) {
        Plan before = plan;
        Plan next = Plan.of(config, before, time);
        next.configure();
        plan = next;
        beforehand.run();
        onEachLoop(loop -> loop.serve(next)).forEach(Future::syncUninterruptibly);
        checkAll(next);
        before.clusters().values().stream()
                .filter(cluster -> !next.clusters().containsValue(cluster))
                .forEach(Cluster::close);
    }

    /** Has each event loop do something, unless they have ended. */
    private List<Future<?>> onEachLoop(Consumer<Loop> action) {
        List<Future<?>> done = new ArrayList<>();
        try {
            loops.forEach((eventLoop, loop) -> done.add(eventLoop.submit(() -> action.accept(loop))));
        } catch (RejectedExecutionException e) {
            return List.of();
        }
        return done;
    }

    /** How requests ended that were for no cluster. */
    public Counters unrouted() {
        return unrouted;
    }

    /** How many connections of clients there are. */
    public long clientConnections() {
        return openClients.get();
    }

    /** How many connections of clients there have been. */
    public long clientConnectionsTotal() {
        return acceptedClients.sum();
    }

    /** How many connections of clients were closed at once, because there were as many as there may be. */
    public long clientConnectionsRefused() {
        return clientLimit.refused();
    }

    Collection<Loop> loops() {
        return loops.values();
    }

    @Nullable
    AccessListener accessListener() {
        return accessListener;
    }

    Transport transport() {
        return transport;
    }

    TimeSource time() {
        return time;
    }

    // ---- going down

    /** Whether it is going down. */
    public boolean isDraining() {
        return draining;
    }

    /**
     * Takes no more connections but those that were on their way, closes those that are idle, makes every answer the last on its
     * connection, and waits until all connections are closed.
     *
     * @param bound how long to wait at most
     * @return whether all are closed
     */
    public boolean drain(Duration bound) throws InterruptedException {
        draining = true;
        loops.forEach((eventLoop, loop) -> eventLoop.execute(loop::drain));
        // What the system has accepted for the listener would be reset with it.
        TimeUnit.NANOSECONDS.sleep(Limits.DRAIN_ACCEPT.toNanos());
        listener.close().awaitUninterruptibly();
        listening = false;
        completeIfDrained();
        try {
            drained.get(TimeUnit.NANOSECONDS.convert(bound), TimeUnit.NANOSECONDS); // unlike toNanos, never overflows
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    void clientOpened() {
        openClients.incrementAndGet();
        acceptedClients.increment();
    }

    void clientClosed() {
        if (openClients.decrementAndGet() == 0) {
            completeIfDrained();
        }
    }

    private void completeIfDrained() {
        if (!listening && openClients.get() == 0) {
            drained.complete(null);
        }
    }

    boolean isStopping() {
        return stopping;
    }

    /** Stops at once, whatever is under way. */
    public void close() {
        stopping = true;
        plan.clusters().values().forEach(Cluster::close);
        listener.close().awaitUninterruptibly();
        // A loop that ends closes nothing, and says nothing of what was under way.
        onEachLoop(Loop::stop).forEach(stopped -> stopped.awaitUninterruptibly(2, TimeUnit.SECONDS));
        stopLoops();
    }

    private void stopLoops() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
