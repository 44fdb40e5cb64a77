package dev.recloser.gateway.proxy;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The ways in which the machine can be asked for network input and output. */
enum Transport {
    /** Linux's usual one. */
    EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class),
    /** Linux's newer one. */
    IO_URING(IoUringServerSocketChannel.class, IoUringSocketChannel.class),
    /** The JDK's, which is everywhere. */
    NIO(NioServerSocketChannel.class, NioSocketChannel.class);

    /** The system property that names one of them. */
    static final String PROPERTY = "recloser.transport";

    private final Class<? extends ServerChannel> serverChannel;
    private final Class<? extends Channel> channel;

    Transport(Class<? extends ServerChannel> serverChannel, Class<? extends Channel> channel) {
        this.serverChannel = serverChannel;
        this.channel = channel;
    }

    /** The one that the system property asks for, epoll by default; NIO where that one is not available. */
    static Transport chosen() {
        String name = System.getProperty(PROPERTY, EPOLL.name());
        for (Transport asked : values()) {
            if (asked.name().equals(name.toUpperCase(Locale.ROOT))) {
                return asked.isAvailable() ? asked : NIO;
            }
        }
        throw new BadPropertyException(PROPERTY, name, "epoll, io_uring or nio");
    }

    private boolean isAvailable() {
        return switch (this) {
            case EPOLL -> Epoll.isAvailable();
            case IO_URING -> IoUring.isAvailable();
            case NIO -> true;
        };
    }

    IoHandlerFactory ioHandlerFactory() {
        return switch (this) {
            case EPOLL -> EpollIoHandler.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }

    /** For connections from clients. All have TCP_NODELAY, which Netty sets by itself. */
    ServerBootstrap serverBootstrap() {
        return new ServerBootstrap()
                .channel(serverChannel)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, reads())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark());
    }

    /**
     * For connections to services. They are not closed when writing fails: a service that answers early and closes has said
     * something that is still to be read.
     */
    Bootstrap bootstrap() {
        return new Bootstrap()
                .channel(channel)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.AUTO_CLOSE, false)
                .option(ChannelOption.RECVBUF_ALLOCATOR, reads())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark());
    }

    /** Puts these on a new connection, in this order: TLS if there is such, and what is behind it. */
    static ChannelHandler initializer(@Nullable ChannelHandler tls, ChannelHandler... handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (tls != null) {
                    channel.pipeline().addLast(tls);
                }
                channel.pipeline().addLast(handlers);
            }
        };
    }

    /** Buffers of up to 64 KiB, as the traffic needs them; what they have brought is passed on before more is read. */
    private static RecvByteBufAllocator reads() {
        return new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(Limits.READS_AT_A_TIME);
    }

    private static WriteBufferWaterMark waterMark() {
        return new WriteBufferWaterMark(Limits.WRITE_LOW_BYTES, Limits.WRITE_HIGH_BYTES);
    }
}
