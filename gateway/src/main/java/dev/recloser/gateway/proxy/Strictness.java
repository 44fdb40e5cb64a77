package dev.recloser.gateway.proxy;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpVersion;

/** What the decoders of requests and of responses have in common: how strictly they read. */
final class Strictness {

    private Strictness() {}

    /** What can be read in two ways is not read, and nothing is longer than the limits. */
    static HttpDecoderConfig config() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(Limits.HEADER_BYTES)
                .setMaxHeaderSize(Limits.HEADER_BYTES)
                .setMaxChunkSize(Limits.PIECE_BYTES)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true)
                .setAllowDuplicateContentLengths(false);
    }

    /** HTTP/1.2 and so on are read as 1.1, as the standard asks. */
    static HttpVersion version(String text) {
        if (text.equals("HTTP/1.1")) {
            return HttpVersion.HTTP_1_1;
        }
        if (text.equals("HTTP/1.0")) {
            return HttpVersion.HTTP_1_0;
        }
        boolean wellFormed = text.length() == 8
                && text.startsWith("HTTP/")
                && isDigit(text.charAt(5))
                && text.charAt(6) == '.'
                && isDigit(text.charAt(7));
        if (!wellFormed) {
            throw new BadRequestException("The protocol version is malformed.");
        }
        if (text.charAt(5) != '1') {
            throw new BadRequestException(505, "Only HTTP/1.0 and HTTP/1.1 are served.");
        }
        return HttpVersion.HTTP_1_1;
    }

    /**
     * A status: three digits, from 100.
     *
     * @throws IllegalArgumentException when it is none
     */
    static int statusCode(CharSequence text) {
        if (text.length() != 3 || text.charAt(0) < '1') {
            throw new IllegalArgumentException("no status code: " + text);
        }
        int code = 0;
        for (int i = 0; i < 3; i++) {
            char digit = text.charAt(i);
            if (!isDigit(digit)) {
                throw new IllegalArgumentException("no status code: " + text);
            }
            code = 10 * code + digit - '0';
        }
        return code;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Whether this is the name of the header that says how long a body is. */
    static boolean isContentLength(CharSequence name) {
        return name.length() == HttpHeaderNames.CONTENT_LENGTH.length()
                && HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name);
    }
}
