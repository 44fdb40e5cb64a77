package dev.recloser.gateway.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.Map;

/**
 * HTTP/1.1 as it is written. Bytes that are not ASCII go out as they came in: both directions of the gateway read and write header
 * text as one byte per character.
 */
final class Wire {

    private static final AsciiString REQUEST_LINE_END = AsciiString.cached(" HTTP/1.1\r\n");
    private static final AsciiString STATUS_LINE = AsciiString.cached("HTTP/1.1 ");
    private static final AsciiString STATUS_200 = AsciiString.cached("HTTP/1.1 200 OK\r\n");
    private static final int CRLF = ('\r' << 8) | '\n';
    private static final int COLON_SPACE = (':' << 8) | ' ';
    private static final byte[] HEX = "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private Wire() {}

    static void requestHead(ByteBuf out, HttpMethod method, String target, HttpHeaders headers) {
        text(out, method.asciiName());
        out.writeByte(' ');
        text(out, target);
        text(out, REQUEST_LINE_END);
        headers(out, headers);
    }

    static void responseHead(ByteBuf out, HttpResponseStatus status, HttpHeaders headers) {
        statusLine(out, status);
        headers(out, headers);
    }

    private static void statusLine(ByteBuf out, HttpResponseStatus status) {
        if (status.equals(HttpResponseStatus.OK) && status.reasonPhrase().equals("OK")) {
            text(out, STATUS_200);
            return;
        }
        text(out, STATUS_LINE);
        text(out, status.codeAsText());
        out.writeByte(' ');
        text(out, status.reasonPhrase());
        crlf(out);
    }

    /** Header lines and the empty line that ends them. */
    private static void headers(ByteBuf out, HttpHeaders headers) {
        Iterator<Map.Entry<CharSequence, CharSequence>> entries = headers.iteratorCharSequence();
        while (entries.hasNext()) {
            Map.Entry<CharSequence, CharSequence> entry = entries.next();
            header(out, entry.getKey(), entry.getValue());
        }
        crlf(out);
    }

    private static void header(ByteBuf out, CharSequence name, CharSequence value) {
        text(out, name);
        ByteBufUtil.writeShortBE(out, COLON_SPACE);
        text(out, value);
        crlf(out);
    }

    /** The line before a chunk of that many bytes. */
    static void chunkStart(ByteBuf out, int length) {
        int digits = Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 3) >>> 2);
        for (int shift = (digits - 1) << 2; shift >= 0; shift -= 4) {
            out.writeByte(HEX[(length >>> shift) & 0xf]);
        }
        crlf(out);
    }

    static void lastChunk(ByteBuf out, HttpHeaders trailers) {
        out.writeByte('0');
        crlf(out);
        headers(out, trailers);
    }

    static void crlf(ByteBuf out) {
        ByteBufUtil.writeShortBE(out, CRLF);
    }

    private static void text(ByteBuf out, CharSequence text) {
        if (text instanceof AsciiString ascii) {
            out.writeBytes(ascii.array(), ascii.arrayOffset(), ascii.length());
        } else {
            ByteBufUtil.writeAscii(out, text);
        }
    }
}
