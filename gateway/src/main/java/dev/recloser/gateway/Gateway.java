package dev.recloser.gateway;

import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.proxy.Cluster;
import dev.recloser.gateway.proxy.Counters;
import dev.recloser.gateway.proxy.Server;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;

/** A running gateway: it serves from {@link #start} until it is drained or closed. Thread-safe. */
public final class Gateway implements AutoCloseable {

    private final Server server;

    private Gateway(Server server) {
        this.server = server;
    }

    /**
     * Starts a gateway. The system property {@code recloser.loops} sets the number of its threads (by default one for each
     * processor), {@code recloser.transport} how it does input and output: {@code epoll} (the default where there is such),
     * {@code io_uring} or {@code nio}.
     *
     * @param config what it serves
     * @throws IOException when nothing can listen at the configured address; the message says why
     */
    public static Gateway start(GatewayConfig config) throws IOException {
        return new Gateway(new Server(config));
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

    /** Stops at once, whatever is under way. Idempotent. */
    @Override
    public void close() {
        server.close();
    }
}
