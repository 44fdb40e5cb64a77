package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.DestinationConfig;
import dev.recloser.gateway.config.HostPort;
import io.netty.channel.EventLoop;
import io.netty.util.AsciiString;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An instance of a service: where it listens, how it is, and how busy. Thread-safe. */
final class Destination {

    /** Finds the addresses of a host, of which there is at least one. May block. */
    interface Lookup {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    private final DestinationConfig config;
    private final HostPort hostPort;
    private final Underway underway;
    private final Health health;
    private final Lookup lookup;
    private final AtomicInteger lookups = new AtomicInteger();

    /** Set when the host is an address, so that nothing has to be looked up. */
    private final @Nullable InetSocketAddress literal;

    private final AsciiString authority;
    private final @Nullable UpstreamTls tls;

    /** A destination whose name, if it has one, is looked up as the system does. */
    Destination(DestinationConfig config, @Nullable UpstreamTls tls, Underway underway, Health health) {
        this(config, tls, underway, health, InetAddress::getAllByName);
    }

    Destination(DestinationConfig config, @Nullable UpstreamTls tls, Underway underway, Health health, Lookup lookup) {
        this.config = config;
        this.underway = underway;
        this.health = health;
        this.lookup = lookup;
        this.tls = config.secure() ? tls : null;
        this.hostPort = config.address();
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(hostPort.host());
        this.literal = address == null ? null : new InetSocketAddress(address, hostPort.port());
        this.authority = AsciiString.of(hostPort.toString());
    }

    /** How large its share of the requests is. */
    int weight() {
        return config.weight();
    }

    HostPort address() {
        return hostPort;
    }

    Underway underway() {
        return underway;
    }

    Health health() {
        return health;
    }

    DestinationSnapshot snapshot(long now) {
        return new DestinationSnapshot(
                config.secure(),
                hostPort.toString(),
                weight(),
                health.condition(now).state(),
                underway.count());
    }

    /** Null where it does not speak TLS. */
    @Nullable
    UpstreamTls tls() {
        return tls;
    }

    String host() {
        return hostPort.host();
    }

    int port() {
        return hostPort.port();
    }

    /** As it stands in a Host header. */
    AsciiString authority() {
        return authority;
    }

    /**
     * Hands on an address: at once if it is known without asking anyone, else on the event loop when it has been found or not. A name is
     * looked up each time, and where it stands for several addresses, the next of them is taken.
     */
    void resolve(
            EventLoop loop,
            Executor executor,
            Consumer<InetSocketAddress> found,
            Consumer<UnknownHostException> unknown) {
        if (literal != null) {
            found.accept(literal);
            return;
        }
        executor.execute(() -> {
            try {
                InetSocketAddress address = new InetSocketAddress(nextAddress(), hostPort.port());
                loop.execute(() -> found.accept(address));
            } catch (UnknownHostException e) {
                loop.execute(() -> unknown.accept(e));
            }
        });
    }

    private InetAddress nextAddress() throws UnknownHostException {
        InetAddress[] all = lookup.addresses(hostPort.host());
        return all[Math.floorMod(lookups.getAndIncrement(), all.length)];
    }

    @Override
    public String toString() {
        return hostPort.toString();
    }
}
