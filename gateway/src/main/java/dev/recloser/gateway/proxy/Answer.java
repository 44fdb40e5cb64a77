package dev.recloser.gateway.proxy;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;

/** The answer of a service as it is passed on: how each of the two connections knows where it ends, and how they go on then. */
final class Answer {

    private final HttpResponse response;
    private final RequestHead request;
    private final boolean serviceKeepsAlive;
    private final boolean delimited;

    /** How the client knows where the body ends. */
    private final Framing framing;

    private boolean last;
    private boolean complete;
    private boolean failed;
    private boolean heldBack;

    Answer(HttpResponse response, RequestHead request) {
        this.response = response;
        this.request = request;
        HttpHeaders headers = response.headers();
        boolean empty = request.isHead() || isWithoutBody(response.status().code());
        boolean length = headers.contains(HttpHeaderNames.CONTENT_LENGTH);
        this.delimited = empty || length || headers.contains(HttpHeaderNames.TRANSFER_ENCODING);
        this.serviceKeepsAlive = delimited && wantsKeepAlive(response);
        if (empty) {
            framing = Framing.NONE;
        } else if (length) {
            framing = Framing.LENGTH;
        } else {
            framing = request.isHttp10() ? Framing.CLOSE : Framing.CHUNKED;
        }
    }

    private static boolean isWithoutBody(int status) {
        return status == 204 || status == 304;
    }

    private static boolean wantsKeepAlive(HttpResponse response) {
        return ConnectionOptions.isKeepAlive(
                response.headers(), response.protocolVersion().equals(HttpVersion.HTTP_1_0));
    }

    /** Whether the decoder's way to read its body is the only one. What contradicts itself, the decoder has refused. */
    static boolean isValid(HttpResponse response) {
        String coding = response.headers().get(HttpHeaderNames.TRANSFER_ENCODING);
        return coding == null
                || (HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(coding)
                        && response.headers()
                                        .getAll(HttpHeaderNames.TRANSFER_ENCODING)
                                        .size()
                                == 1);
    }

    int status() {
        return response.status().code();
    }

    /** How an exchange ends with this answer, if nothing goes wrong any more. */
    Ending ending() {
        return failed ? Ending.UPSTREAM_5XX : ending(response);
    }

    /** How it ends as far as the head of the answer says. */
    static Ending ending(HttpResponse response) {
        boolean failed = response.status().code() >= 500 || (isHttp2(response) && Grpc.isFailure(response.headers()));
        return failed ? Ending.UPSTREAM_5XX : Ending.OK;
    }

    private static boolean isHttp2(HttpResponse response) {
        return response.protocolVersion().equals(Http2Messages.HTTP_2);
    }

    /**
     * Writes the head.
     *
     * @param close whether the client's connection cannot go on after it
     */
    void writeHead(Outlet out, boolean close) {
        last = close || !request.keepAlive || framing == Framing.CLOSE;
        HttpHeaders headers = response.headers();
        Headers.towardsClient(response);
        AsciiString connection = Headers.connection(last, request.isHttp10());
        if (connection != null) {
            headers.set(HttpHeaderNames.CONNECTION, connection);
        }
        if (framing == Framing.CHUNKED) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        } else {
            headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
        }
        if (response.status().code() == 204) {
            headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        }
        out.response(response.status(), headers);
    }

    /** Writes a piece of the body, and with the last one its end. Takes over the reference. */
    void writeContent(Outlet out, HttpContent content) {
        if (framing == Framing.NONE) {
            content.release();
        } else {
            out.piece(content.content(), framing);
        }
        if (content instanceof LastHttpContent last) {
            complete = true;
            failed |= isHttp2(response) && Grpc.isFailure(last.trailingHeaders());
            out.end(Headers.trailers(last.trailingHeaders()), framing);
        }
    }

    /** The service's silence counts from here, unless the client does not keep up: then the service is held back. */
    void balance(Client client, Loop loop, Upstream from, Sending sending) {
        if (!client.out().isWritable()) {
            heldBack = true;
            from.deadline().cancel();
            from.setReading(false);
            loop.clientStall.arm(client.deadline());
            return;
        }
        if (sending.isComplete() || sending.isCut()) {
            from.pool().lane.bodies.arm(from.deadline());
        } else {
            sending.besideAnswer(); // it may be waiting for the rest of the request, and so for the client
        }
        if (heldBack) {
            heldBack = false;
            sending.clientKeepsUp();
            from.setReading(true); // what this brings at once may hold it back again, or end it
        }
    }

    boolean isComplete() {
        return complete;
    }

    /** Whether it is the client that is waited for. */
    boolean isHeldBack() {
        return heldBack;
    }

    /** Whether it is the last one on the client's connection. */
    boolean isLast() {
        return last;
    }

    /** Whether the client takes the end of the connection for the end of the body. */
    boolean endsWithConnection() {
        return framing == Framing.CLOSE;
    }

    /** Whether the service ends the body by closing the connection. */
    boolean isEndedByClose() {
        return !delimited;
    }

    boolean serviceKeepsAlive() {
        return serviceKeepsAlive;
    }
}
