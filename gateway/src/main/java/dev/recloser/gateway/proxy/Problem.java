package dev.recloser.gateway.proxy;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** The gateway's own answer to a request that it could not have answered: {@code application/problem+json}, as in RFC 9457. */
final class Problem {

    /** What a client is told to wait that is turned away because others are under way: nobody knows when they end. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Ending ending;
    private final int status;
    private final String detail;
    private @Nullable String cluster;
    private @Nullable String allow;
    private @Nullable Duration retryAfter;

    private Problem(Ending ending, int status, String detail) {
        this.ending = ending;
        this.status = status;
        this.detail = detail;
        this.retryAfter = ending == Ending.LIMIT || ending == Ending.QUEUE_TIMEOUT ? SOON : null;
    }

    Problem(Ending ending) {
        this(ending, ending.status(), ending.detail);
    }

    Problem(BadRequestException refusal) {
        this(Ending.BAD_REQUEST, refusal.status(), refusal.detail());
    }

    Problem of(@Nullable Cluster of) {
        cluster = of == null ? null : of.name();
        return this;
    }

    Problem allowing(String methods) {
        allow = methods;
        return this;
    }

    Problem retryAfter(Duration wait) {
        retryAfter = wait;
        return this;
    }

    /** 0 if the client gets none. */
    int status() {
        return status;
    }

    Ending ending() {
        return ending;
    }

    /**
     * Whether it is the last answer on its connection: after what was malformed, and where too much is still to come.
     *
     * @param request what it answers, if that could be read
     * @param requestOpen whether a part of the request is still to come
     */
    boolean isLast(@Nullable RequestHead request, boolean requestOpen) {
        if (request == null
                || ending == Ending.BAD_REQUEST
                || ending == Ending.CLIENT_SLOW
                || ending == Ending.INTERNAL) {
            return true;
        }
        boolean muchToCome = request.expectsContinue() || request.contentLength > Limits.DISCARD_BYTES;
        return !request.keepAlive || (requestOpen && muchToCome);
    }

    /**
     * Writes it.
     *
     * @param request what it answers, if that could be read: the answer to a HEAD has the headers of one to a GET, and no body
     * @param close whether it is the last answer on the connection
     * @return how many bytes its body has
     */
    int write(Outlet out, Instant now, @Nullable RequestHead request, boolean close) {
        AsciiString connection = Headers.connection(close, request != null && request.isHttp10());
        HttpResponseStatus line = HttpResponseStatus.valueOf(status);
        byte[] body = json(line.reasonPhrase()).getBytes(StandardCharsets.UTF_8);
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory()
                .withValidation(false)
                .newHeaders()
                .add("Date", DateFormatter.format(Date.from(now)))
                .add("Content-Type", "application/problem+json")
                .add("Content-Length", Integer.toString(body.length))
                .add("Cache-Control", "no-store");
        if (allow != null) {
            headers.add("Allow", allow);
        }
        if (retryAfter != null) {
            headers.add("Retry-After", Long.toString(wholeSeconds(retryAfter)));
        }
        if (connection != null) {
            headers.add("Connection", connection);
        }
        out.response(line, headers);
        int length = request != null && request.isHead() ? 0 : body.length;
        if (length > 0) {
            out.piece(Unpooled.wrappedBuffer(body), Framing.LENGTH);
        }
        out.end(EmptyHttpHeaders.INSTANCE, Framing.LENGTH);
        return length;
    }

    /** Rounded up, so that a client that waits as long is not too early; at least 1. */
    static long wholeSeconds(Duration wait) {
        long seconds = wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0);
        return Math.max(1, seconds);
    }

    private String json(String title) {
        StringBuilder json = new StringBuilder(192).append("{\"type\":\"about:blank\"");
        member(json, "title", title);
        json.append(",\"status\":").append(status);
        member(json, "detail", detail);
        if (cluster != null) {
            member(json, "cluster", cluster);
        }
        member(json, "reason", ending.reason());
        return json.append("}\n").toString();
    }

    private static void member(StringBuilder json, String name, String value) {
        json.append(",\"").append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
