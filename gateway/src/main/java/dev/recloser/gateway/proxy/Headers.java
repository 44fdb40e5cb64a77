package dev.recloser.gateway.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpScheme;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the headers of a message are changed on their way through. They are changed in place. */
final class Headers {

    private static final AsciiString VIA = AsciiString.cached("Via");
    private static final AsciiString VIA_HTTP_11 = AsciiString.cached("1.1 recloser");
    private static final AsciiString VIA_HTTP_2 = AsciiString.cached("2 recloser");
    private static final AsciiString VIA_HTTP_10 = AsciiString.cached("1.0 recloser");
    private static final AsciiString FORWARDED = AsciiString.cached("forwarded");
    private static final AsciiString FORWARDED_FOR = AsciiString.cached("X-Forwarded-For");
    private static final AsciiString FORWARDED_HOST = AsciiString.cached("X-Forwarded-Host");
    private static final AsciiString FORWARDED_PROTO = AsciiString.cached("X-Forwarded-Proto");
    private static final AsciiString TRAILERS = AsciiString.cached("trailers");

    /** What must not come behind a body, since a service might take it for part of the head. */
    private static final AsciiString[] NO_TRAILERS = {
        HttpHeaderNames.HOST,
        HttpHeaderNames.AUTHORIZATION,
        HttpHeaderNames.COOKIE,
        HttpHeaderNames.SET_COOKIE,
        HttpHeaderNames.CONTENT_TYPE,
        HttpHeaderNames.CONTENT_ENCODING,
        HttpHeaderNames.CONTENT_RANGE,
        HttpHeaderNames.EXPECT,
        HttpHeaderNames.VIA,
        FORWARDED,
        FORWARDED_FOR,
        FORWARDED_HOST,
        FORWARDED_PROTO
    };

    /**
     * What is also taken for these by a service that makes one of underscores and hyphens, as CGI and WSGI do, must not come from
     * the client.
     */
    private static final AsciiString[] NO_LOOKALIKES = {
        HttpHeaderNames.CONTENT_LENGTH,
        HttpHeaderNames.TRANSFER_ENCODING,
        FORWARDED_FOR,
        FORWARDED_HOST,
        FORWARDED_PROTO
    };

    private Headers() {}

    /**
     * Makes the headers of a request those that the service gets, but for a missing {@link #host}.
     *
     * @param client who has sent it
     */
    static void towardsService(RequestHead head, Client client) {
        HttpHeaders headers = head.headers();
        String te = headers.get(HttpHeaderNames.TE);
        boolean trailers = te != null && ConnectionOptions.contains(headers.getAll(HttpHeaderNames.TE), TRAILERS);
        ConnectionOptions.strip(headers);
        AsciiString upgrade = head.upgrade;
        if (upgrade != null) {
            headers.set(HttpHeaderNames.UPGRADE, upgrade);
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE);
        } else if (trailers) {
            headers.set(HttpHeaderNames.TE, TRAILERS);
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderNames.TE);
        }
        removeLookalikes(headers);
        headers.remove(FORWARDED);
        headers.set(FORWARDED_FOR, client.address());
        headers.set(FORWARDED_PROTO, (client.isSecure() ? HttpScheme.HTTPS : HttpScheme.HTTP).name());
        String host = head.host();
        if (host == null) {
            headers.remove(FORWARDED_HOST);
        } else {
            headers.set(FORWARDED_HOST, host);
        }
        headers.add(VIA, via(head.version()));
    }

    private static void removeLookalikes(HttpHeaders headers) {
        List<CharSequence> found = List.of();
        Iterator<Map.Entry<CharSequence, CharSequence>> entries = headers.iteratorCharSequence();
        while (entries.hasNext()) {
            CharSequence name = entries.next().getKey();
            if (AsciiString.indexOf(name, '_', 0) >= 0 && isLookalike(name)) {
                found = found.isEmpty() ? new ArrayList<>() : found;
                found.add(name);
            }
        }
        found.forEach(headers::remove);
    }

    private static boolean isLookalike(CharSequence name) {
        String meant = name.toString().replace('_', '-');
        for (AsciiString taken : NO_LOOKALIKES) {
            if (taken.contentEqualsIgnoreCase(meant)) {
                return true;
            }
        }
        return false;
    }

    /** HTTP/1.0 knows requests without a host; the service gets one. */
    static void host(RequestHead head, Destination destination) {
        if (head.host() == null) {
            head.headers().set(HttpHeaderNames.HOST, destination.authority());
        }
    }

    /**
     * Makes the headers of a response those that the client gets, but for the framing and {@code Connection}. An interim answer
     * has no body, and so no framing.
     */
    static void towardsClient(HttpResponse response) {
        ConnectionOptions.strip(response.headers());
        if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            response.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
            response.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
        }
        response.headers().add(VIA, via(response.protocolVersion()));
    }

    private static AsciiString via(HttpVersion version) {
        return version.majorVersion() == 2 ? VIA_HTTP_2 : version.minorVersion() == 0 ? VIA_HTTP_10 : VIA_HTTP_11;
    }

    /** What to say of the client's connection: whether it goes on, where that does not go without saying. */
    static @Nullable AsciiString connection(boolean close, boolean http10) {
        return close ? HttpHeaderValues.CLOSE : http10 ? HttpHeaderValues.KEEP_ALIVE : null;
    }

    /** Takes out of a trailer section what must not be there. */
    static HttpHeaders trailers(HttpHeaders trailers) {
        if (!trailers.isEmpty()) {
            ConnectionOptions.strip(trailers);
            removeLookalikes(trailers);
            for (AsciiString name : NO_TRAILERS) {
                trailers.remove(name);
            }
        }
        return trailers;
    }
}
