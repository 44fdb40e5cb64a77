package dev.recloser.gateway;

import dev.recloser.Registration;
import dev.recloser.gateway.accesslog.AccessLog;
import dev.recloser.gateway.config.ConfigChanges;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.proxy.Cluster;
import dev.recloser.gateway.proxy.Counters;
import dev.recloser.gateway.proxy.Server;
import dev.recloser.spi.Bindings;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A running gateway: it serves from {@link #start} until it is drained or closed. Thread-safe. */
public final class Gateway implements AutoCloseable {

    private final Server server;
    private final GatewayConfig started;
    private final @Nullable AccessLog accessLog;
    private final Bindings<Cluster> bindings;
    private final Reloads reloads = new Reloads();
    private volatile GatewayConfig config;
    private volatile boolean withdrawn;

    private Gateway(Server server, GatewayConfig config, @Nullable AccessLog accessLog) {
        this.server = server;
        this.started = config;
        this.config = config;
        this.bindings = new Bindings<>(() -> server.clusters().values());
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
            return new Gateway(new Server(config, accessLog), config, accessLog);
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

    /**
     * Binds something to each cluster that there is and to each that comes with another configuration, before the first request comes to it.
     *
     * @param bind what is called for each, once; the registration is removed when the cluster has gone. What it throws is logged.
     * @return removes all that is bound
     */
    public Registration forEachCluster(Function<? super Cluster, ? extends Registration> bind) {
        return bindings.add(bind);
    }

    /**
     * Serves by another configuration from now on, which is counted in {@link #reloads}. Nothing that goes on is disturbed: requests under
     * way end by the settings with which they began, clusters keep their circuits and counters by name, and those that are gone end when
     * their last request has ended. Where it listens, the admin server and the access log cannot be changed.
     *
     * @return what has changed; under {@link ConfigChanges#fixed} it has the keys whose values differ from those that the gateway was
     *     started with, and take effect when it is started again
     */
    public synchronized ConfigChanges reload(GatewayConfig next) {
        ConfigChanges changes = ConfigChanges.between(config, next);
        boolean same = changes.isEmpty() && changes.fixed().isEmpty();
        if (!changes.isEmpty()) {
            server.serve(next, bindings::changed);
        }
        config = next;
        reloads.count(same ? Reloads.Result.UNCHANGED : Reloads.Result.SUCCESS);
        return new ConfigChanges(
                changes.added(),
                changes.changed(),
                changes.removed(),
                changes.routes(),
                changes.tls(),
                changes.clients(),
                ConfigChanges.between(started, next).fixed());
    }

    /** How often the configuration was read anew, and what came of it. Who reads it counts here those that could not be used. */
    public Reloads reloads() {
        return reloads;
    }

    /** How requests ended that were for no cluster: malformed ones, and those that no route matches. */
    public Counters unrouted() {
        return server.unrouted();
    }

    /** When the certificates that it shows to clients and to services expire: of each file, the one that does so first. */
    public Map<Path, Instant> certificateEnds() {
        return config.certificateEnds();
    }

    /** How many connections of clients there are. */
    public long clientConnections() {
        return server.clientConnections();
    }

    /** How many connections of clients there have been since the start. */
    public long clientConnectionsTotal() {
        return server.clientConnectionsTotal();
    }

    /** How many connections of clients were closed at once since the start, because there were as many as there may be. */
    public long clientConnectionsRefused() {
        return server.clientConnectionsRefused();
    }

    /** How many lines of the access log were dropped because they could not be written in time. */
    public long accessLogDropped() {
        return accessLog == null ? 0 : accessLog.dropped();
    }

    /** Whether it is to get more requests: it is not going down, and was not {@linkplain #withdraw withdrawn}. */
    public boolean isReady() {
        return !withdrawn && !isDraining();
    }

    /** It is not ready any more, for those who ask; it goes on serving as before. A drain is to follow. Idempotent. */
    public void withdraw() {
        withdrawn = true;
    }

    /** Whether it is going down, and takes no more connections. */
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
