package dev.recloser.gateway.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;

/**
 * Netty's decoder of responses, made stricter: a status is three digits from 100, a reason phrase has no control characters,
 * a version is spelled exactly, a second {@code Content-Length} is refused in HTTP/1.0 too. It knows whether the answer is one to {@code HEAD} or to the wish for
 * another protocol, whether a byte of it has come, and takes none that nobody asked for.
 */
final class ResponseDecoder extends HttpResponseDecoder {

    private static final char DELETE = 0x7f;

    private final UpstreamConnection connection;
    private boolean toHead;
    private boolean toUpgrade;
    private boolean bytesSeen;
    private boolean contentLengthSeen;

    ResponseDecoder(UpstreamConnection connection) {
        super(Strictness.config());
        this.connection = connection;
    }

    /** The next response is the answer to a request that goes out now. */
    void expect(RequestHead request) {
        toHead = request.isHead();
        toUpgrade = request.upgrade != null;
        bytesSeen = false;
    }

    /** Whether a byte of the answer has come. */
    boolean bytesSeen() {
        return bytesSeen;
    }

    /** Whether there are bytes behind the answer that has just ended. */
    boolean hasLeftover() {
        return actualReadableBytes() > 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object input) throws Exception {
        if (connection.isIdle()) {
            ReferenceCountUtil.release(input);
            connection.close();
            return;
        }
        bytesSeen = true;
        super.channelRead(ctx, input);
    }

    @Override
    protected HttpMessage createMessage(String[] line) {
        contentLengthSeen = false;
        return new DefaultHttpResponse(
                Strictness.version(line[0]),
                HttpResponseStatus.valueOf(statusCode(line[1]), reasonPhrase(line[2])),
                headersFactory);
    }

    private int statusCode(String text) {
        int code = Strictness.statusCode(text);
        if (code == 101 && !toUpgrade) {
            throw new IllegalArgumentException("an upgrade that nobody asked for");
        }
        return code;
    }

    private static String reasonPhrase(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == DELETE) {
                throw new IllegalArgumentException("a control character in the reason phrase");
            }
        }
        return text;
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        int status = ((HttpResponse) message).status().code();
        return status < 200 || toHead || super.isContentAlwaysEmpty(message);
    }

    /** Netty ends a name where a space is, and takes what follows for a part of neither name nor value. */
    private static void refuseSpaceWithin(byte[] line, int endOfName) {
        for (int i = endOfName; i < line.length && line[i] != ':'; i++) {
            if (line[i] != ' ' && line[i] != '\t') {
                throw new IllegalArgumentException("a header name with a space in it");
            }
        }
    }

    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        refuseSpaceWithin(line, start + length);
        AsciiString name = super.splitHeaderName(line, start, length);
        if (Strictness.isContentLength(name)) {
            if (contentLengthSeen) {
                throw new IllegalArgumentException("more than one Content-Length");
            }
            contentLengthSeen = true;
        }
        return name;
    }
}
