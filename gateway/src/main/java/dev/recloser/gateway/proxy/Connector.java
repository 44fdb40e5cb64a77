package dev.recloser.gateway.proxy;

import dev.recloser.time.TimeSource;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Makes one connection to a destination: finds its address, connects, and has TLS shake hands where the destination speaks it. All on one
 * event loop, which is never blocked.
 */
final class Connector {

    /** Who wants the connection. It sees to the time that this may take. */
    interface Caller {

        /** Whether it still wants it. */
        boolean isWaiting();

        /** It is being made: this is what to close if it is not wanted any more. */
        void connecting(Channel channel);

        /** It can be used. */
        void connected();

        void connectFailed(@Nullable Throwable cause);
    }

    private final Destination destination;
    private final EventLoop eventLoop;
    private final Transport transport;
    private final TimeSource time;
    private final Caller caller;

    Connector(Destination destination, EventLoop eventLoop, Transport transport, TimeSource time, Caller caller) {
        this.destination = destination;
        this.eventLoop = eventLoop;
        this.transport = transport;
        this.time = time;
        this.caller = caller;
    }

    /**
     * Begins. The caller is told of the outcome once.
     *
     * @param handlers what is put on the connection, behind TLS
     */
    void open(ChannelHandler... handlers) {
        destination.resolve(eventLoop, time.executor(), address -> connect(address, handlers), caller::connectFailed);
    }

    private void connect(InetSocketAddress address, ChannelHandler... handlers) {
        if (!caller.isWaiting()) {
            return;
        }
        UpstreamTls tls = destination.tls();
        SslHandler handshake = tls == null ? null : tls.handler(destination);
        ChannelFuture connecting = transport
                .bootstrap()
                .group(eventLoop)
                .handler(Transport.initializer(handshake, handlers))
                .connect(address);
        caller.connecting(connecting.channel());
        var unused = connecting.addListener(done -> {
            if (!done.isSuccess()) {
                caller.connectFailed(done.cause());
            } else if (tls == null || handshake == null) {
                caller.connected();
            } else {
                await(handshake, tls);
            }
        });
    }

    private void await(SslHandler handshake, UpstreamTls tls) {
        var unused = handshake.handshakeFuture().addListener(done -> {
            Throwable problem = done.isSuccess() ? tls.problem(handshake) : done.cause();
            if (problem == null) {
                caller.connected();
            } else {
                tls.tell(destination, problem, time.nanoTime());
                caller.connectFailed(problem);
            }
        });
    }
}
