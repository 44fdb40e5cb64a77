package dev.recloser.gateway.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AsciiString;

/** What an exchange asks of a connection of HTTP/1 that needs no knowledge of what the connection is doing. */
abstract class Http1Client extends ChannelInboundHandlerAdapter implements Client {

    final Channel channel;
    final RequestDecoder decoder;
    final Loop loop;
    private final Outgoing out;
    private final AsciiString address;
    private final boolean secure;

    Http1Client(Channel channel, RequestDecoder decoder, Loop loop, boolean secure) {
        this.channel = channel;
        this.decoder = decoder;
        this.loop = loop;
        this.out = new Outgoing(channel, loop);
        this.address = ClientLimit.addressOf(channel);
        this.secure = secure;
    }

    @Override
    public final AsciiString address() {
        return address;
    }

    @Override
    public final boolean isSecure() {
        return secure;
    }

    @Override
    public final boolean isDuplex() {
        return false;
    }

    @Override
    public final Outgoing out() {
        return out;
    }

    @Override
    public final void pauseRequest() {
        decoder.pause();
    }

    @Override
    public final void stopRequest() {
        decoder.stopReading();
    }

    @Override
    public final void resumeRequest() {
        decoder.resume();
    }

    @Override
    public final boolean isLast() {
        return loop.isDraining() || decoder.isAtEnd();
    }
}
