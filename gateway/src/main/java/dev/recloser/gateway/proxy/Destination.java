package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.HostPort;
import io.netty.util.AsciiString;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where an instance of a service listens. */
final class Destination {

    private final HostPort hostPort;

    /** Set when the host is an address, so that nothing has to be looked up. */
    private final @Nullable InetSocketAddress literal;

    private final AsciiString authority;

    Destination(HostPort hostPort) {
        this.hostPort = hostPort;
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(hostPort.host());
        this.literal = address == null ? null : new InetSocketAddress(address, hostPort.port());
        this.authority = AsciiString.of(hostPort.toString());
    }

    /** As it stands in a Host header. */
    AsciiString authority() {
        return authority;
    }

    /** Hands on the address: at once if it is known without asking anyone, else on the event loop when it has been found or not. */
    void resolve(Loop loop, Consumer<InetSocketAddress> found, Consumer<UnknownHostException> unknown) {
        if (literal != null) {
            found.accept(literal);
            return;
        }
        loop.server().time().executor().execute(() -> {
            try {
                InetSocketAddress address =
                        new InetSocketAddress(InetAddress.getByName(hostPort.host()), hostPort.port());
                loop.eventLoop().execute(() -> found.accept(address));
            } catch (UnknownHostException e) {
                loop.eventLoop().execute(() -> unknown.accept(e));
            }
        });
    }

    @Override
    public String toString() {
        return hostPort.toString();
    }
}
