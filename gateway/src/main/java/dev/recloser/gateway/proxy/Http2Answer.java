package dev.recloser.gateway.proxy;

import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;

/**
 * Makes messages of the frames of one answer, and sees to it that the body is as long as was announced: Netty takes any answer without a body
 * for one to HEAD. What is wrong is said by an {@link IllegalArgumentException}.
 */
final class Http2Answer {

    private static final long UNKNOWN = Long.MIN_VALUE;

    private final boolean toHead;
    private boolean headRead;
    private long missing = UNKNOWN;

    Http2Answer(boolean toHead) {
        this.toHead = toHead;
    }

    /** Whether the head of the answer itself has come, after which there is only its body and its end. */
    boolean hasHead() {
        return headRead;
    }

    /** A head, of the answer or of one before it. */
    HttpResponse head(Http2HeadersFrame frame) {
        HttpResponse response = Http2Messages.response(frame.headers(), frame.isEndStream());
        if (response.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
            headRead = true;
            missing = bodyLength(response);
            check(frame.isEndStream());
        }
        return response;
    }

    private long bodyLength(HttpResponse response) {
        String length = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        int status = response.status().code();
        return length == null || toHead || status == 204 || status == 304 ? UNKNOWN : Long.parseLong(length);
    }

    /** A piece of the body, with a reference of its own. */
    HttpContent piece(Http2DataFrame frame) {
        if (!headRead) {
            throw new IllegalArgumentException("a body before the head");
        }
        if (missing != UNKNOWN) {
            missing -= frame.content().readableBytes();
            check(frame.isEndStream());
        }
        return frame.isEndStream()
                ? new DefaultLastHttpContent(frame.content().retain())
                : new DefaultHttpContent(frame.content().retain());
    }

    /** The end, with trailers. */
    HttpContent end(Http2HeadersFrame frame) {
        check(true);
        return Http2Messages.trailers(frame.headers());
    }

    private void check(boolean end) {
        if (missing != UNKNOWN && (missing < 0 || (end && missing > 0))) {
            throw new IllegalArgumentException("a body of another length than was announced");
        }
    }
}
