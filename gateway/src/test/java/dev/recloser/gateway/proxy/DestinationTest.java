package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.DestinationConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.time.TimeSource;
import io.netty.channel.DefaultEventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a name becomes an address. */
class DestinationTest {

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private String[] known = {"10.0.0.1", "10.0.0.2"};

    @AfterEach
    void stop() {
        var unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        if (!host.equals("service") || known.length == 0) {
            throw new UnknownHostException(host);
        }
        InetAddress[] all = new InetAddress[known.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = InetAddress.getByName(known[i]);
        }
        return all;
    }

    private static String next(Destination destination, DefaultEventLoop loop) throws Exception {
        CompletableFuture<InetSocketAddress> found = new CompletableFuture<>();
        destination.resolve(loop, Runnable::run, found::complete, found::completeExceptionally);
        InetSocketAddress address = found.get(8, TimeUnit.SECONDS);
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private Destination destination(String host) {
        TimeSource time = TimeSource.system();
        return new Destination(
                new DestinationConfig(new HostPort(host, 80)),
                null,
                new Underway(false),
                new Health(null, time, new HealthLog("a", host, time.executor())),
                this::lookUp);
    }

    @Test
    void allAddressesOfANameTakeTurns() throws Exception {
        Destination destination = destination("service");
        assertThat(next(destination, loop)).isEqualTo("10.0.0.1:80");
        assertThat(next(destination, loop)).isEqualTo("10.0.0.2:80");
        assertThat(next(destination, loop)).isEqualTo("10.0.0.1:80");
    }

    @Test
    void aNameIsLookedUpEachTime() throws Exception {
        Destination destination = destination("service");
        assertThat(next(destination, loop)).isEqualTo("10.0.0.1:80");
        known = new String[] {"10.0.0.3"};
        assertThat(next(destination, loop)).isEqualTo("10.0.0.3:80");
    }

    @Test
    void anAddressIsNotLookedUp() throws Exception {
        assertThat(next(destination("10.0.0.9"), loop)).isEqualTo("10.0.0.9:80");
    }
}
