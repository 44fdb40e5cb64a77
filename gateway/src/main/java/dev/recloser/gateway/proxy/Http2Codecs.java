package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ClientsConfig.Sizes;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Settings;

/** Netty's codec of HTTP/2 as it is used on both sides: what one connection may keep in memory and may have done for it. */
final class Http2Codecs {

    private Http2Codecs() {}

    private static final class Builder extends Http2FrameCodecBuilder {

        Builder(boolean server) {
            server(server);
            gracefulShutdownTimeoutMillis(0); // as Netty has it for codecs without streams of their own
        }

        @Override
        protected Http2FrameCodec build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
            return super.build(new LateFrames(decoder), encoder, settings);
        }
    }

    /**
     * For the connection of a client, whose heads may be so large. Netty bounds what costs much and brings nothing: streams that are reset as soon as they are opened,
     * streams that make the gateway reset them, empty frames, settings and pings that nobody waits for, and headers in crumbs.
     */
    static Http2FrameCodec ofClients(Sizes most) {
        return new Builder(true)
                .initialSettings(settings(most.headers()).maxConcurrentStreams(Limits.CLIENT_STREAMS))
                .decoupleCloseAndGoAway(true)
                .decoderEnforceMaxRstFramesPerWindow(Limits.RESETS, Limits.RESETS_SECONDS)
                .build();
    }

    /** For a connection to a service. */
    static Http2FrameCodec ofServices() {
        return new Builder(false)
                .initialSettings(settings(Limits.HEADER_BYTES).pushEnabled(false))
                .decoupleCloseAndGoAway(true)
                .build();
    }

    /** All streams of a connection together may have more on their way than one: a stream that is held back is not to hold the others. */
    static void widen(Http2FrameCodec codec, int bytes) throws Http2Exception {
        Http2Connection connection = codec.connection();
        connection
                .local()
                .flowController()
                .incrementWindowSize(connection.connectionStream(), bytes - Http2CodecUtil.DEFAULT_WINDOW_SIZE);
    }

    private static Http2Settings settings(int headerBytes) {
        return Http2Settings.defaultSettings()
                .initialWindowSize(Limits.STREAM_WINDOW_BYTES)
                .maxHeaderListSize(headerBytes);
    }
}
