package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.DestinationTls;
import dev.recloser.gateway.config.UpstreamConfig;
import dev.recloser.gateway.config.UpstreamProtocol;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS to the destinations of a cluster. Thread-safe. */
final class UpstreamTls {

    private static final System.Logger LOG = System.getLogger(UpstreamTls.class.getName());
    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SslContext context;
    private final DestinationTls config;
    private final boolean http2;
    private final AtomicLong toldAt = new AtomicLong(Long.MIN_VALUE);

    UpstreamTls(UpstreamConfig upstream) {
        this.config = upstream.tls();
        this.http2 = upstream.protocol() == UpstreamProtocol.HTTP_2;
        this.context = Tls.toDestinations(config, http2);
    }

    /** For a new connection. It shakes hands as soon as it is connected; how long that may take, others see to. */
    SslHandler handler(Destination destination) {
        String name = config.serverName().orElse(destination.host());
        SslHandler handler = context.newHandler(ByteBufAllocator.DEFAULT, name, destination.port());
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    /** What is wrong with a connection that has shaken hands, if anything is. */
    @Nullable
    SSLException problem(SslHandler shaken) {
        boolean agreed = !http2 || ApplicationProtocolNames.HTTP_2.equals(shaken.applicationProtocol());
        return agreed ? null : new SSLException("the destination does not speak HTTP/2: it did not agree to 'h2'");
    }

    /** Says why a destination cannot be connected to, once in a while: nothing else says so. */
    void tell(Destination destination, Throwable problem, long now) {
        long before = toldAt.get();
        boolean due = before == Long.MIN_VALUE || now - before >= TELL_AGAIN_NANOS;
        if (due && problem instanceof SSLException && toldAt.compareAndSet(before, now)) {
            LOG.log(System.Logger.Level.WARNING, "no connection by TLS to {0}: {1}", destination, problem.getMessage());
        }
    }
}
