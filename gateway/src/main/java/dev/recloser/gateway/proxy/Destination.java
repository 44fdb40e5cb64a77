package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.HostPort;
import io.netty.util.AsciiString;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
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

    /** The address if it is known without asking anyone. */
    @Nullable
    InetSocketAddress literal() {
        return literal;
    }

    /** Looks the address up. May block. */
    InetSocketAddress lookUp() throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(hostPort.host()), hostPort.port());
    }

    @Override
    public String toString() {
        return hostPort.toString();
    }
}
