package dev.recloser.gateway;

import dev.recloser.gateway.accesslog.AccessLog;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.proxy.Cluster;
import dev.recloser.gateway.proxy.Counters;
import dev.recloser.gateway.proxy.Server;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A running gateway: it serves from {@link #start} until it is drained or closed. Thread-safe. */
public final class Gateway implements AutoCloseable {

    private final Server server;
    private final @Nullable AccessLog accessLog;

    private Gateway(Server server, @Nullable AccessLog accessLog) {
        this.server = server;
        this.accessLog = accessLog;
    }

    /**
     * Starts a gateway. The system property {@code recloser.loops} sets the number of its threads (by default one for each
     * processor), {@code recloser.transport} how it does input and output: {@code epoll} (the default where there is such),
     * {@code io_uring} or {@code nio}.
     *
     * @param config what it serves
     * @throws IOException when nothing can listen at the configured address, or the access log cannot be written; the message says which
     */
    public static Gateway start(GatewayConfig config) throws IOException {
        AccessLog accessLog = config.accessLog().isPresent()
                ? AccessLog.open(config.accessLog().get())
                : null;
        try {
            return new Gateway(new Server(config, accessLog), accessLog);
        } catch (IOException | RuntimeException e) {
            if (accessLog != null) {
                accessLog.close();
            }
            throw e;
        }
    }

    /** Which version this is: as the jar says, or the module; empty in a source tree. */
    public static Optional<String> version() {
        return Optional.ofNullable(Gateway.class.getPackage().getImplementationVersion())
                .or(() -> Optional.ofNullable(Gateway.class.getModule().getDescriptor())
                        .flatMap(ModuleDescriptor::rawVersion));
    }

    /** Where clients connect, with the port that the system chose if the configuration left that to it. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** The clusters by name, in the order of the configuration: the breaker and the counters of each. */
    public Map<String, Cluster> clusters() {
        return server.clusters();
    }

    /** How requests ended that were for no cluster: malformed ones, and those that no route matches. */
    public Counters unrouted() {
        return server.unrouted();
    }

    /** How many connections of clients there are. */
    public long clientConnections() {
        return server.clientConnections();
    }

    /** How many connections of clients there have been since the start. */
    public long clientConnectionsTotal() {
        return server.clientConnectionsTotal();
    }

    /** How many lines of the access log were dropped because they could not be written in time. */
    public long accessLogDropped() {
        return accessLog == null ? 0 : accessLog.dropped();
    }

    /** Whether it is going down, and so not ready for more. */
    public boolean isDraining() {
        return server.isDraining();
    }

    /**
     * Goes down gently: takes no new connections, closes idle ones, serves what comes on the others with
     * {@code Connection: close}, and waits until all connections are closed. The gateway is still to be closed afterwards.
     *
     * @param bound how long to wait at most
     * @return whether all was done within the bound
     * @throws InterruptedException when the thread is interrupted while it waits
     */
    public boolean drain(Duration bound) throws InterruptedException {
        return server.drain(bound);
    }

    /** Stops at once, whatever is under way; only the access log is still written to its end. Idempotent. */
    @Override
    public void close() {
        server.close();
        if (accessLog != null) {
            accessLog.close();
        }
    }
}
