package dev.recloser.gateway.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request that can be read in one way only. What the decoder lets through and could be read in two is refused here:
 * see {@link #of}. Holds what the gateway wants to know of it; the headers are those that were decoded.
 */
final class RequestHead {

    /** What is said to a client that asks with a method that is never served. */
    static final String SERVED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

    /** One protocol, with a version or without, but for those of HTTP's own. */
    private static final Pattern PROTOCOL =
            Pattern.compile("(?i)(?!h2c?\\b|http\\b)[a-z0-9!#$%&'*+.^_`|~-]+(/[a-z0-9!#$%&'*+.^_`|~-]+)?");

    private static final String HTTP = "http://";
    private static final String HTTPS = "https://";

    private final HttpRequest request;
    final Framing framing;
    final long contentLength;

    /** Whether the client wants to go on with this connection. */
    final boolean keepAlive;

    private String target = "";
    private int pathEnd;
    private @Nullable String host;

    /** The protocol to which the client would like to change, if it may. */
    final @Nullable AsciiString upgrade;

    private RequestHead(HttpRequest request) {
        this.request = request;
        HttpHeaders headers = request.headers();
        boolean chunked = isChunked(headers);
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        if (chunked && length != null) {
            throw new BadRequestException("There are both Content-Length and Transfer-Encoding.");
        }
        contentLength = length == null ? 0 : parsedLength(length);
        framing = chunked ? Framing.CHUNKED : contentLength > 0 ? Framing.LENGTH : Framing.NONE;
        upgrade = headers.contains(HttpHeaderNames.UPGRADE) ? wantedUpgrade(headers) : null;
        keepAlive = ConnectionOptions.isKeepAlive(headers, isHttp10());
    }

    /**
     * Reads and checks a head.
     *
     * @param slashes whether its path may have encoded slashes
     * @throws BadRequestException when it is refused
     */
    static RequestHead of(HttpRequest request, boolean slashes) {
        RequestHead head = new RequestHead(request);
        if (head.isServedMethod()) {
            head.readHost();
            head.readTarget(slashes);
        }
        return head;
    }

    private static boolean isChunked(HttpHeaders headers) {
        String coding = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
        if (coding == null) {
            return false;
        }
        boolean chunkedOnly = HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(coding)
                && headers.getAll(HttpHeaderNames.TRANSFER_ENCODING).size() == 1;
        if (!chunkedOnly) {
            throw new BadRequestException(501, "No other transfer coding than chunked is served.");
        }
        return true;
    }

    private static long parsedLength(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                throw new BadRequestException("The Content-Length is not a number.");
            }
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new BadRequestException("The Content-Length is not a number.");
        }
    }

    private void readHost() {
        HttpHeaders headers = request.headers();
        String value = headers.get(HttpHeaderNames.HOST);
        if (value == null) {
            if (!isHttp10()) {
                throw new BadRequestException("There is no Host.");
            }
        } else if (headers.getAll(HttpHeaderNames.HOST).size() > 1) {
            throw new BadRequestException("There is more than one Host.");
        } else if (!Target.isAuthority(value)) {
            throw new BadRequestException("The Host is malformed.");
        }
        host = value;
    }

    private void readTarget(boolean slashes) {
        String uri = request.uri();
        if (uri.startsWith("/")) {
            target = uri;
        } else if (uri.equals("*") && request.method().equals(HttpMethod.OPTIONS)) {
            target = uri;
        } else if (uri.regionMatches(true, 0, HTTP, 0, HTTP.length())) {
            readAbsolute(uri, HTTP.length());
        } else if (uri.regionMatches(true, 0, HTTPS, 0, HTTPS.length())) {
            readAbsolute(uri, HTTPS.length());
        } else {
            throw new BadRequestException("The request target is malformed.");
        }
        pathEnd = Target.checkedPathEnd(target, slashes);
    }

    /** The authority of a target in absolute-form is the host, whatever the Host header says; the rest is sent on. */
    private void readAbsolute(String uri, int authorityStart) {
        int end = authorityStart;
        while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
            end++;
        }
        String authority = uri.substring(authorityStart, end);
        if (!Target.isAuthority(authority)) {
            throw new BadRequestException("The authority of the request target is malformed.");
        }
        String rest = uri.substring(end);
        target = rest.startsWith("/") ? rest : "/" + rest;
        host = authority;
        request.headers().set(HttpHeaderNames.HOST, authority);
    }

    HttpHeaders headers() {
        return request.headers();
    }

    HttpMethod method() {
        return request.method();
    }

    /** The target as it is sent on. */
    String target() {
        return target;
    }

    /** The path, as it was sent, without the query. */
    String path() {
        return pathEnd == target.length() ? target : target.substring(0, pathEnd);
    }

    /** The host that the request is for, with the port if one was sent; null if none was. */
    @Nullable
    String host() {
        return host;
    }

    HttpVersion version() {
        return request.protocolVersion();
    }

    boolean isHttp10() {
        return request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    }

    boolean isHead() {
        return request.method().equals(HttpMethod.HEAD);
    }

    boolean isServedMethod() {
        return !request.method().equals(HttpMethod.TRACE) && !request.method().equals(HttpMethod.CONNECT);
    }

    boolean hasBody() {
        return framing != Framing.NONE;
    }

    /**
     * The one protocol that an upgrade asks for, if it is one that can be tunnelled. HTTP/2 is not: requests would go through the tunnel
     * that nobody looks at.
     */
    private @Nullable AsciiString wantedUpgrade(HttpHeaders headers) {
        List<String> protocols = headers.getAll(HttpHeaderNames.UPGRADE);
        boolean asks = protocols.size() == 1
                && !isHttp10()
                && !hasBody()
                && request.method().equals(HttpMethod.GET)
                && PROTOCOL.matcher(protocols.get(0)).matches()
                && ConnectionOptions.contains(headers.getAll(HttpHeaderNames.CONNECTION), HttpHeaderValues.UPGRADE);
        return asks ? AsciiString.of(protocols.get(0)) : null;
    }

    /** Whether it can be sent again without asking: nothing was asked to change, and there is no body that is gone. */
    boolean isRepeatable() {
        HttpMethod method = request.method();
        return !hasBody()
                && (method.equals(HttpMethod.GET)
                        || method.equals(HttpMethod.HEAD)
                        || method.equals(HttpMethod.OPTIONS));
    }

    /** Whether the client waits for a 100 before it sends the body. */
    boolean expectsContinue() {
        return hasBody()
                && !isHttp10()
                && request.headers().containsValue(HttpHeaderNames.EXPECT, HttpHeaderValues.CONTINUE, true);
    }
}
