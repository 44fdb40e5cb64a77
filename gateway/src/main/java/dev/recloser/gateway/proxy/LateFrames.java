package dev.recloser.gateway.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Drops what was on its way to a stream when the gateway reset it (RFC 9113, section 5.1). Netty knows a stream no more once it has
 * reset it, answers each such frame by a reset, and after some hundred of those gives up the connection with all that is under way on it.
 * Such a frame still counts for the windows of the connection.
 */
final class LateFrames extends DecoratingHttp2ConnectionDecoder {

    /** Of so many streams, the last ones, late frames are dropped. */
    private static final int STREAMS = 1000;

    private final Set<Integer> reset = new LinkedHashSet<>();

    LateFrames(Http2ConnectionDecoder decoder) {
        super(decoder);
        decoder.connection().addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                if (stream.isResetSent()) {
                    remember(stream.id());
                }
            }
        });
    }

    private void remember(int stream) {
        if (reset.size() == STREAMS) {
            reset.remove(reset.iterator().next());
        }
        reset.add(stream);
    }

    @Override
    public void decodeFrame(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Http2Exception {
        try {
            super.decodeFrame(ctx, in, out);
        } catch (Http2Exception.StreamException e) {
            if (e.error() != Http2Error.STREAM_CLOSED || !reset.contains(e.streamId())) {
                throw e;
            }
        }
    }
}
