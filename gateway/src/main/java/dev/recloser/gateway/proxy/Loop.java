package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ClientsConfig;
import io.netty.channel.EventLoop;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to one event loop. Both connections of a request are on the same loop, and all that they share is here: pools,
 * deadlines, and what is to be flushed. So no lock is taken anywhere on a request's way.
 */
final class Loop {

    private static final System.Logger LOG = System.getLogger(Loop.class.getName());

    private final EventLoop eventLoop;
    private final Server server;
    private final Deadlines deadlines;
    private final Flushes flushes;
    private final Tally unrouted;
    private final @Nullable AccessListener accessListener;
    private final Set<ClientChannel> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable Lane[] lanes = {};
    private RouteTable routes;
    private ClientsConfig clients;

    // What clients are waited for changes with the plan; what they are waited for already ends as it would have.
    DeadlineList clientIdle;
    DeadlineList clientHead;
    DeadlineList clientBody;
    DeadlineList clientStall;

    final DeadlineList linger;
    final DeadlineList drainGrace;
    final DeadlineList continueWait;
    final DeadlineList pooledIdle;
    final DeadlineList pooledHttp2Idle;

    Loop(EventLoop eventLoop, Server server, Plan plan) {
        this.eventLoop = eventLoop;
        this.server = server;
        this.flushes = new Flushes(eventLoop, server.time(), this::fault);
        this.deadlines = new Deadlines(eventLoop, server.time(), flushes::now, this::fault);
        this.clients = plan.clients();
        this.clientIdle = deadlines.after(clients.times().idle());
        this.clientHead = deadlines.after(clients.times().header());
        this.clientBody = deadlines.after(clients.times().body());
        this.clientStall = deadlines.after(clients.times().stall());
        this.linger = deadlines.after(Limits.LINGER);
        this.drainGrace = deadlines.after(Limits.DRAIN_GRACE);
        this.continueWait = deadlines.after(Limits.CONTINUE_WAIT);
        this.pooledIdle = deadlines.after(Limits.POOLED_IDLE);
        this.pooledHttp2Idle = deadlines.after(Limits.UPSTREAM_HTTP2_IDLE);
        this.accessListener = server.accessListener();
        this.unrouted = server.unrouted().forLoop();
        this.routes = plan.routes();
        serve(plan);
    }

    /** Serves by this plan from now on. Requests under way end as they have begun. */
    final void serve(Plan plan) {
        @Nullable Lane[] before = lanes;
        lanes = plan.lanes(before, this);
        routes = plan.routes();
        waitFor(plan.clients());
        for (Lane lane : before) {
            if (lane != null && !isServed(lane)) {
                lane.retire();
            }
        }
    }

    private void waitFor(ClientsConfig next) {
        if (!next.times().equals(clients.times())) {
            List.of(clientIdle, clientHead, clientBody, clientStall).forEach(deadlines::leave);
            clientIdle = deadlines.after(next.times().idle());
            clientHead = deadlines.after(next.times().header());
            clientBody = deadlines.after(next.times().body());
            clientStall = deadlines.after(next.times().stall());
        }
        clients = next;
    }

    private boolean isServed(Lane lane) {
        return lane.cluster.index < lanes.length && lanes[lane.cluster.index] == lane;
    }

    Server server() {
        return server;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    /** Where a request goes. */
    RouteTable routes() {
        return routes;
    }

    /** What clients may do. */
    ClientsConfig clients() {
        return clients;
    }

    /** The lane of a cluster to which a route leads. */
    Lane lane(Cluster cluster) {
        return Objects.requireNonNull(lanes[cluster.index]);
    }

    /** Counts the requests that are for no cluster. */
    Tally unrouted() {
        return unrouted;
    }

    /** Who is told of every request that has ended, if anybody. */
    @Nullable
    AccessListener accessListener() {
        return accessListener;
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    /** What makes a connection on this loop. */
    Connector connector(Destination destination, Connector.Caller caller) {
        return new Connector(destination, eventLoop, server.transport(), server.time(), caller);
    }

    /** Something went wrong that is nobody's fault but the gateway's. */
    void fault(Throwable cause) {
        LOG.log(System.Logger.Level.ERROR, "a fault of the gateway's own", cause);
    }

    /** What is to be flushed. */
    Flushes flushes() {
        return flushes;
    }

    // ---- clients

    void opened(ClientChannel client) {
        open.add(client);
        server.clientOpened();
        if (isDraining()) {
            client.drain();
        }
    }

    /** What is spoken on a connection has changed, and so who sees to it. */
    void replaced(ClientChannel before, ClientChannel now) {
        open.remove(before);
        open.add(now);
    }

    void closed(ClientChannel client) {
        open.remove(client);
        server.clientClosed();
    }

    /** Whether every answer is the last on its connection. One moment for all loops: a client may have connections on several. */
    boolean isDraining() {
        return server.isDraining();
    }

    /** Whether all connections are being closed, whatever is under way. */
    boolean isStopping() {
        return server.isStopping();
    }

    /** Closes all connections of clients, whatever is under way. */
    void stop() {
        List.copyOf(open).forEach(ClientChannel::close);
    }

    /** Closes what is idle. */
    void drain() {
        List.copyOf(open).forEach(ClientChannel::drain);
        for (Lane lane : lanes) {
            if (lane != null) {
                lane.closeIdle();
            }
        }
        flushes.now();
    }
}
