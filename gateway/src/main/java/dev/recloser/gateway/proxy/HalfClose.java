package dev.recloser.gateway.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;

/**
 * Sits behind the connection of a client that may end its side of it and still read: what it has sent in full is answered, the last answer
 * says that it is that, and then the connection is closed. Where there is no such handler, the end of what a client sends is the end of its
 * connection. So it is in a tunnel, too.
 */
final class HalfClose extends ChannelInboundHandlerAdapter {

    /** What the {@link RequestDecoder} tells when nothing more comes, and it has handed out all that has come. */
    static final Object INPUT_ENDED = new Object();

    private final ClientConnection client;

    private HalfClose(ClientConnection client) {
        this.client = client;
    }

    /** Lets a client end its side of the connection. */
    static void allow(Channel channel, ClientConnection client) {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        channel.pipeline().addLast(new HalfClose(client));
    }

    /** No client may end its side alone any more: on a connection of HTTP/2 each stream does so for itself. */
    static void forbid(Channel channel) {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
        if (channel.pipeline().get(HalfClose.class) != null) {
            channel.pipeline().remove(HalfClose.class);
        }
        if (((DuplexChannel) channel).isInputShutdown()) {
            var unused = channel.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == INPUT_ENDED) {
            inputEnded();
        } else if (event instanceof ChannelInputShutdownEvent) { // no decoder has kept it: this is a tunnel
            client.close();
        }
    }

    private void inputEnded() {
        if (client.isRequestOpen()) {
            client.out().flush(); // it may have been answered early
            client.close();
        } else { // and so nothing is under way: after the end of a request, nothing is decoded until it was answered
            client.closeWhenFlushed();
        }
    }
}
