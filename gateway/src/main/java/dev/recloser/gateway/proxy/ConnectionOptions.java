package dev.recloser.gateway.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.function.Consumer;

/**
 * The {@code Connection} header, and all that belongs to one connection and never crosses the gateway: what {@code Connection}
 * names, and the headers that are of this kind even if it does not name them.
 */
final class ConnectionOptions {

    static final AsciiString KEEP_ALIVE = AsciiString.cached("keep-alive");
    static final AsciiString PROXY_CONNECTION = AsciiString.cached("proxy-connection");
    static final AsciiString HTTP2_SETTINGS = AsciiString.cached("http2-settings");

    private static final AsciiString[] HOP_BY_HOP = {
        HttpHeaderNames.CONNECTION,
        KEEP_ALIVE,
        PROXY_CONNECTION,
        HttpHeaderNames.TE,
        HttpHeaderNames.UPGRADE,
        HTTP2_SETTINGS,
        HttpHeaderNames.PROXY_AUTHENTICATE,
        HttpHeaderNames.PROXY_AUTHORIZATION
    };

    /** Without these a message would have another meaning: naming them in Connection does not take them away. */
    private static final AsciiString[] KEPT = {
        HttpHeaderNames.HOST, HttpHeaderNames.CONTENT_LENGTH, HttpHeaderNames.TRANSFER_ENCODING
    };

    private ConnectionOptions() {}

    /** Takes away what belongs to the connection only. The framing stays. */
    static void strip(HttpHeaders headers) {
        if (headers.contains(HttpHeaderNames.CONNECTION)) {
            List<String> values = headers.getAll(HttpHeaderNames.CONNECTION);
            if (values.size() > 1 || !isUsual(values.get(0))) {
                forEachOption(values, option -> removeNamed(headers, option));
            }
        }
        for (AsciiString name : HOP_BY_HOP) {
            headers.remove(name);
        }
    }

    /** Whether the value names no header of the message. */
    private static boolean isUsual(String value) {
        return HttpHeaderValues.KEEP_ALIVE.contentEqualsIgnoreCase(value)
                || HttpHeaderValues.CLOSE.contentEqualsIgnoreCase(value);
    }

    private static void removeNamed(HttpHeaders headers, String option) {
        for (AsciiString kept : KEPT) {
            if (kept.contentEqualsIgnoreCase(option)) {
                return;
            }
        }
        headers.remove(option);
    }

    /** Whether whoever sent these headers wants to go on with the connection. */
    static boolean isKeepAlive(HttpHeaders headers, boolean http10) {
        String first = headers.get(HttpHeaderNames.CONNECTION);
        if (first == null) {
            return !http10;
        }
        List<String> all = headers.getAll(HttpHeaderNames.CONNECTION);
        return !contains(all, HttpHeaderValues.CLOSE) && (!http10 || contains(all, HttpHeaderValues.KEEP_ALIVE));
    }

    static boolean contains(List<String> values, AsciiString option) {
        if (values.isEmpty()) {
            return false;
        }
        boolean[] found = {false};
        forEachOption(values, each -> found[0] |= option.contentEqualsIgnoreCase(each));
        return found[0];
    }

    private static void forEachOption(List<String> values, Consumer<String> action) {
        for (String value : values) {
            int start = 0;
            while (start <= value.length()) {
                int comma = value.indexOf(',', start);
                int end = comma < 0 ? value.length() : comma;
                String option = value.substring(start, end).strip();
                if (!option.isEmpty()) {
                    action.accept(option);
                }
                start = end + 1;
            }
        }
    }
}
