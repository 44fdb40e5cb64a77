package dev.recloser.gateway.proxy;

import io.netty.channel.ChannelHandler;
import org.jspecify.annotations.Nullable;

/** The service's side of an {@link Exchange}: a connection of HTTP/1, or a stream of HTTP/2, which may still have to be made. */
interface Upstream {

    Pool pool();

    /** The clock that runs while the service is waited for. */
    Deadline deadline();

    /** Only once it is connected. */
    Outlet out();

    // ---- what it is like

    boolean isConnecting();

    /** Whether it is open as far as is known. */
    boolean isOpen();

    /** Whether its connection has served others before, and so may be closed by the service in this moment. */
    boolean isReused();

    /** Whether a byte of the answer has come. */
    boolean hasAnswered();

    /** Whether the end of the connection was an error, and so is not the end of a body. */
    boolean isReadFailed();

    // ---- what is done with it

    /** Begins to connect; tells the exchange how it went. */
    void open();

    /** It is for this exchange from now on. */
    void begin(Exchange with, RequestHead request);

    /** Whether what the service sends is read. */
    void setReading(boolean reading);

    /**
     * The exchange has ended.
     *
     * @param reusable whether both messages have ended and the service keeps the connection
     * @param ending how it has ended here, which is what its destination is judged by
     */
    void release(boolean reusable, Ending ending);

    /** It belongs to no exchange any more; returns the one that it belonged to. */
    @Nullable
    Exchange detach();

    /** What comes from now on is bytes, which go here. Only on a connection of HTTP/1. */
    void tunnel(ChannelHandler end);

    void close();
}
