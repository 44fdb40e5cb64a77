package dev.recloser.gateway.admin;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * One connection that is told events. What waits to be sent is bounded: a reader that is behind gets no events until it has read what
 * it has, and then the whole state anew. One that reads nothing for some time is dropped. Used on the loop of its connection only.
 */
final class EventStream extends SimpleChannelInboundHandler<Object> {

    /** So many ticks may pass without the reader taking anything of what waits for it. */
    static final int PATIENCE = 10;

    private final EventStreams streams;
    private final Channel channel;
    private boolean behind;
    private long waiting;
    private int stalled;

    /** The stream of a connection on which the head of the answer has been written. It begins when it is put into the pipeline. */
    EventStream(EventStreams streams, Channel channel) {
        this.streams = streams;
        this.channel = channel;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (channel.isActive()) {
            channel.config().setAutoRead(true); // to see that the reader has gone
            streams.add(this);
            send(streams.whole());
        }
    }

    /** Sends an event, unless the reader is behind. */
    void send(byte[] event) {
        behind = behind || !channel.isWritable();
        if (!behind) {
            write(event);
        }
    }

    private void write(byte[] event) {
        var unused = channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(event)));
    }

    /** To be called once each tick. */
    void dropIfStalled() {
        long rest = channel.bytesBeforeWritable();
        stalled = rest > 0 && rest >= waiting ? stalled + 1 : 0;
        waiting = rest;
        if (stalled > PATIENCE) {
            var unused = channel.close();
        }
    }

    /** Ends the answer and closes the connection. */
    void end() {
        var unused = channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (behind && channel.isWritable()) {
            behind = false;
            write(streams.whole());
        }
        context.fireChannelWritabilityChanged();
    }

    /** Nothing more is answered on this connection. */
    @Override
    protected void channelRead0(ChannelHandlerContext context, Object ignored) {}

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        streams.remove(this);
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }
}
