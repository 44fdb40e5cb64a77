package dev.recloser.gateway.proxy;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpScheme;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages of HTTP/2 as the messages that the gateway works with, which are those of HTTP/1, and back (RFC 9113, section 8). What could not
 * be written as HTTP/1 without being read as something else is refused. A body whose length is not known is chunked.
 */
final class Http2Messages {

    static final HttpVersion HTTP_2 = new HttpVersion("HTTP", 2, 0, true);

    private static final AsciiString CRUMBS = AsciiString.cached("; ");

    private static final AsciiString[] OF_CONNECTION = {
        HttpHeaderNames.CONNECTION,
        ConnectionOptions.KEEP_ALIVE,
        ConnectionOptions.PROXY_CONNECTION,
        HttpHeaderNames.TRANSFER_ENCODING,
        HttpHeaderNames.UPGRADE,
        ConnectionOptions.HTTP2_SETTINGS,
        HttpHeaderNames.HOST
    };

    private Http2Messages() {}

    // ---- what comes in

    /**
     * A request.
     *
     * @param bare whether nothing follows
     * @throws IllegalArgumentException when it is refused
     */
    static HttpRequest request(Http2Headers headers, boolean bare) {
        CharSequence method = headers.method();
        CharSequence path = headers.path();
        if (method == null || !isToken(method)) {
            throw new IllegalArgumentException("There is no :method, or it is malformed.");
        }
        HttpHeaders own = fields(headers);
        boolean connect = HttpMethod.CONNECT.asciiName().contentEquals(method);
        if (!connect && (path == null || !isScheme(headers.scheme()))) {
            throw new IllegalArgumentException("There is no :path, or no :scheme that is http or https.");
        }
        if (path != null && !(path.length() > 0 && path.charAt(0) == '/') && !AsciiString.contentEquals(path, "*")) {
            throw new IllegalArgumentException("The :path is malformed.");
        }
        if (headers.contains(Http2Headers.PseudoHeaderName.PROTOCOL.value())) {
            throw new IllegalArgumentException("There is a :protocol, which no setting of the gateway allows.");
        }
        authority(headers.authority(), own);
        HttpRequest request = new DefaultHttpRequest(HTTP_2, HttpMethod.valueOf(method.toString()), text(path), own);
        frame(own, bare);
        return request;
    }

    /**
     * An answer, or one before the answer.
     *
     * @param bare whether nothing follows
     * @throws IllegalArgumentException when it cannot be passed on
     */
    static HttpResponse response(Http2Headers headers, boolean bare) {
        CharSequence status = headers.status();
        int code = status == null ? 0 : Strictness.statusCode(status);
        if (code == 0 || code == 101 || (code < 200 && bare)) {
            throw new IllegalArgumentException("There is no :status, or none that can be there.");
        }
        HttpHeaders own = fields(headers);
        if (code >= 200) {
            frame(own, bare);
        }
        return new DefaultHttpResponse(HTTP_2, HttpResponseStatus.valueOf(code), own);
    }

    /**
     * The end of a message that has trailers.
     *
     * @throws IllegalArgumentException when they cannot be passed on
     */
    static LastHttpContent trailers(Http2Headers headers) {
        LastHttpContent last = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
        if (headers.method() != null || headers.status() != null || headers.path() != null) {
            throw new IllegalArgumentException("There is a pseudo-header in the trailers.");
        }
        last.trailingHeaders().set(fields(headers));
        return last;
    }

    private static void authority(@Nullable CharSequence authority, HttpHeaders own) {
        if (authority == null) {
            return;
        }
        String asked = authority.toString();
        if (!own.getAll(HttpHeaderNames.HOST).stream().allMatch(asked::equalsIgnoreCase)) {
            throw new IllegalArgumentException("The :authority and the Host are not the same.");
        }
        own.set(HttpHeaderNames.HOST, asked);
    }

    private static void frame(HttpHeaders own, boolean bare) {
        List<String> lengths = own.getAll(HttpHeaderNames.CONTENT_LENGTH);
        if (lengths.size() > 1 || (!lengths.isEmpty() && isOddLength(lengths.get(0)))) {
            throw new IllegalArgumentException("The Content-Length is malformed.");
        }
        if (!bare && lengths.isEmpty()) {
            own.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
    }

    private static boolean isOddLength(String length) {
        return length.isEmpty()
                || (length.charAt(0) == '0' && length.length() > 1)
                || !length.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }

    private static HttpHeaders fields(Http2Headers headers) {
        HttpHeaders own =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        for (Map.Entry<CharSequence, CharSequence> field : headers) {
            CharSequence name = field.getKey();
            if (!Http2Headers.PseudoHeaderName.hasPseudoHeaderFormat(name)) {
                add(own, name, field.getValue());
            }
        }
        return own;
    }

    private static void add(HttpHeaders own, CharSequence name, CharSequence value) {
        if (!isToken(name) || hasUpperCase(name)) {
            throw new IllegalArgumentException("A header has a malformed name.");
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException("A header has a malformed value.");
        }
        if (isOfConnection(name) && !HttpHeaderNames.HOST.contentEquals(name)) {
            throw new IllegalArgumentException("There is a header that belongs to a connection of HTTP/1.");
        }
        if (HttpHeaderNames.COOKIE.contentEquals(name) && own.contains(HttpHeaderNames.COOKIE)) {
            own.set(
                    name,
                    own.get(HttpHeaderNames.COOKIE) + CRUMBS + value); // which may come in several (section 8.2.3)
        } else {
            own.add(name, value);
        }
    }

    private static boolean isScheme(@Nullable CharSequence scheme) {
        return scheme != null
                && (HttpScheme.HTTP.name().contentEqualsIgnoreCase(scheme)
                        || HttpScheme.HTTPS.name().contentEqualsIgnoreCase(scheme));
    }

    private static boolean isToken(CharSequence text) {
        return text.length() > 0 && HttpHeaderValidationUtil.validateToken(text) < 0;
    }

    private static boolean hasUpperCase(CharSequence name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 'A' && name.charAt(i) <= 'Z') {
                return true;
            }
        }
        return false;
    }

    /** No control characters, and no space around it. */
    private static boolean isValue(CharSequence value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                return false;
            }
        }
        return value.length() == 0 || (!isSpace(value.charAt(0)) && !isSpace(value.charAt(value.length() - 1)));
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    private static String text(@Nullable CharSequence text) {
        return text == null ? "" : text.toString();
    }

    // ---- what goes out

    static Http2Headers request(HttpMethod method, String target, HttpHeaders headers, boolean secure) {
        Http2Headers own = new DefaultHttp2Headers(false)
                .method(method.asciiName())
                .scheme(secure ? HttpScheme.HTTPS.name() : HttpScheme.HTTP.name())
                .path(target);
        String host = headers.get(HttpHeaderNames.HOST);
        if (host != null) {
            own.authority(host);
        }
        return copy(headers, own);
    }

    static Http2Headers response(HttpResponseStatus status, HttpHeaders headers) {
        return copy(headers, new DefaultHttp2Headers(false).status(status.codeAsText()));
    }

    static Http2Headers trailers(HttpHeaders trailers) {
        return copy(trailers, new DefaultHttp2Headers(false));
    }

    private static Http2Headers copy(HttpHeaders from, Http2Headers to) {
        Iterator<Map.Entry<CharSequence, CharSequence>> entries = from.iteratorCharSequence();
        while (entries.hasNext()) {
            Map.Entry<CharSequence, CharSequence> entry = entries.next();
            CharSequence name = entry.getKey();
            if (!isOfConnection(name)) {
                to.add(AsciiString.of(name).toLowerCase(), entry.getValue());
            }
        }
        return to;
    }

    private static boolean isOfConnection(CharSequence name) {
        for (AsciiString each : OF_CONNECTION) {
            if (each.length() == name.length() && each.contentEqualsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }
}
