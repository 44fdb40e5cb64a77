package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ClientsConfig.Connections;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.util.AsciiString;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lets clients in, as many as may be. Those from one address are counted only where they are bounded, so a bound that is configured later
 * does not count those that are there already. Thread-safe.
 */
final class ClientLimit {

    private final AtomicInteger all = new AtomicInteger();
    private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private final ChannelFutureListener left = closed -> all.decrementAndGet();
    private final ChannelFutureListener leftAddress = closed -> leave(address(closed.channel()));

    /** Counts a connection until it is closed; false if it is one too many, and not counted. */
    boolean letsIn(Channel channel, Connections most) {
        boolean fits = all.incrementAndGet() <= most.all().orElse(Integer.MAX_VALUE);
        if (!fits || !letsInFrom(channel, most)) {
            all.decrementAndGet();
            refused.increment();
            return false;
        }
        var unused = channel.closeFuture().addListener(left);
        return true;
    }

    private boolean letsInFrom(Channel channel, Connections most) {
        if (most.perAddress().isEmpty()) {
            return true;
        }
        InetAddress address = address(channel);
        if (byAddress.merge(address, 1, Integer::sum) > most.perAddress().getAsInt()) {
            leave(address);
            return false;
        }
        var unused = channel.closeFuture().addListener(leftAddress);
        return true;
    }

    private void leave(InetAddress address) {
        byAddress.computeIfPresent(address, (unused, count) -> count == 1 ? null : count - 1);
    }

    /** Those of which it is not known, because they are closed already, count as one. */
    private static InetAddress address(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote && remote.getAddress() != null
                ? remote.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    /** The address of a client, in words. */
    static AsciiString addressOf(Channel client) {
        return client.remoteAddress() instanceof InetSocketAddress remote && remote.getAddress() != null
                ? AsciiString.of(remote.getAddress().getHostAddress())
                : AsciiString.of("unknown");
    }

    /** How many were not let in. */
    long refused() {
        return refused.sum();
    }
}
