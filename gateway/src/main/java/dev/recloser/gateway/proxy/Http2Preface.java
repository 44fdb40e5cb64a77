package dev.recloser.gateway.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;

/**
 * What a client that speaks HTTP/2 sends first (RFC 9113, section 3.4). No request of HTTP/1 begins so; what is spoken on a connection is
 * therefore known by its first bytes, whether TLS has agreed on it or the client has known it beforehand.
 */
enum Http2Preface {
    /** It is something else. */
    NONE,
    /** It may still become one. */
    BEGUN,
    /** It is there. */
    WHOLE;

    private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

    /** What the first bytes of a connection are. */
    static Http2Preface in(ByteBuf first) {
        int length = Math.min(first.readableBytes(), PREFACE.readableBytes());
        for (int i = 0; i < length; i++) {
            if (first.getByte(first.readerIndex() + i) != PREFACE.getByte(i)) {
                return NONE;
            }
        }
        return length == PREFACE.readableBytes() ? WHOLE : BEGUN;
    }
}
