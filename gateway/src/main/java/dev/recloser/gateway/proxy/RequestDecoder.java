package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.ClientsConfig.Sizes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Netty's decoder of requests, made stricter and stoppable.
 *
 * <p>Stricter: a request line has exactly one space between its parts and none before; the version is spelled exactly; a second
 * {@code Content-Length} is refused in HTTP/1.0 too, where Netty would take the first, and so is one that begins with a zero; a
 * header or trailer that goes on in the next line is refused; and what Netty reads as the body of a
 * WebSocket draft of 2010 is none. Line endings, header names and values, chunk sizes and lengths are checked by Netty in the
 * configuration that is chosen here.
 *
 * <p>Stoppable: after the end of a request, and wherever the handler says so, nothing more is decoded until the handler resumes.
 * So pipelined requests and bodies wait as bytes, and nobody queues decoded messages.
 */
final class RequestDecoder extends HttpRequestDecoder {

    private static final AsciiString WEBSOCKET_DRAFT_KEY = AsciiString.cached("sec-websocket-key1");

    private @Nullable ChannelHandlerContext context;
    private boolean decoding;
    private boolean paused;
    private boolean discarding;
    private boolean fresh = true;
    private boolean inputEnded;
    private boolean begun;
    private boolean contentLengthSeen;
    private boolean folded;
    private int nextWord;
    private final int mostFields;
    private int fields;

    RequestDecoder(Sizes most) {
        super(Strictness.config().setMaxInitialLineLength(most.requestLine()).setMaxHeaderSize(most.headers()));
        this.mostFields = most.headerFields();
    }

    /** Stops after what has been handed out. A little is still read, so that the client's leaving is noticed. */
    void pause() {
        paused = true;
    }

    /** Stops, and reads no more meanwhile. */
    void stopReading() {
        paused = true;
        if (context != null) {
            context.channel().config().setAutoRead(false);
        }
    }

    /** Goes on, at once if there are bytes. */
    void resume() {
        paused = false;
        ChannelHandlerContext ctx = context;
        if (ctx == null || !ctx.channel().isActive()) {
            return;
        }
        if (!decoding && actualReadableBytes() > 0) {
            try {
                channelRead(ctx, Unpooled.EMPTY_BUFFER);
            } catch (Exception e) {
                ctx.fireExceptionCaught(e);
            }
        }
        if (!paused) {
            ctx.channel().config().setAutoRead(true);
            tellInputEnded(ctx);
        }
    }

    private void tellInputEnded(ChannelHandlerContext ctx) {
        if (inputEnded && !paused && !discarding) {
            ctx.fireUserEventTriggered(HalfClose.INPUT_ENDED);
        }
    }

    /** Whether nothing more comes, and nothing that has come is still to be decoded: the request that was handed out is the last. */
    boolean isAtEnd() {
        return inputEnded && actualReadableBytes() == 0;
    }

    /** Netty's would decode what has come at once, and drop the rest. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            tellInputEnded(ctx);
        } else {
            super.userEventTriggered(ctx, event);
        }
    }

    /** Whether something has come that is not decoded yet: between requests, the beginning of a head. */
    boolean isInTheMiddle() {
        return begun || actualReadableBytes() > 0;
    }

    /** From now on everything that comes is dropped. */
    void discardAll() {
        discarding = true;
        resume();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object input) throws Exception {
        boolean outermost = !decoding;
        decoding = true;
        try {
            super.channelRead(ctx, input);
        } finally {
            if (outermost) {
                decoding = false;
            }
        }
        if (paused && actualReadableBytes() > Limits.READ_AHEAD_BYTES) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        if (paused) {
            ctx.fireChannelReadComplete(); // Netty's would read on, since nothing was decoded
        } else {
            super.channelReadComplete(ctx);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        if (discarding) {
            buffer.skipBytes(buffer.readableBytes());
            return;
        }
        if (paused || (fresh && !isHttp1(ctx, buffer))) {
            return;
        }
        int start = buffer.readerIndex();
        super.decode(ctx, buffer, out);
        int end = buffer.readerIndex();
        folded |= isMadeOfLines(out) && hasFold(buffer, start, end);
        int size = out.size();
        if (size == 0) {
            begun |= start != end;
        } else {
            begun = false;
            paused = out.get(size - 1) instanceof LastHttpContent;
            if (folded) {
                folded = false;
                refuseFold(out);
            }
        }
    }

    /** Whether the first bytes are no sign of HTTP/2. If they are one, and whole, the handler behind is told, and takes over. */
    private boolean isHttp1(ChannelHandlerContext ctx, ByteBuf first) {
        Http2Preface preface = Http2Preface.in(first);
        fresh = preface == Http2Preface.BEGUN;
        if (preface == Http2Preface.WHOLE) {
            ctx.fireUserEventTriggered(preface);
        }
        return preface == Http2Preface.NONE;
    }

    /** Whether what was decoded last is a head, a trailer section, or a line of one, and not a piece of a body. */
    private static boolean isMadeOfLines(List<Object> decoded) {
        return decoded.isEmpty()
                || decoded.get(0) instanceof HttpMessage
                || (decoded.get(0) instanceof LastHttpContent last
                        && !last.content().isReadable());
    }

    /** Whether a line begins with a space or a tab. The first byte begins a line, since only whole lines are decoded. */
    private static boolean hasFold(ByteBuf buffer, int start, int end) {
        for (int line = start; line < end; ) {
            byte first = buffer.getByte(line);
            if (first == ' ' || first == '\t') {
                return true;
            }
            int lineFeed = buffer.indexOf(line, end, (byte) '\n');
            line = lineFeed < 0 ? end : lineFeed + 1;
        }
        return false;
    }

    private static void refuseFold(List<Object> decoded) {
        DecoderResult refusal = DecoderResult.failure(new BadRequestException("A header is folded."));
        if (decoded.get(0) instanceof HttpMessage head) {
            if (head.decoderResult().isSuccess()) {
                head.setDecoderResult(refusal);
            }
        } else if (decoded.get(0) instanceof LastHttpContent last) {
            LastHttpContent refused = new DefaultLastHttpContent();
            refused.setDecoderResult(refusal);
            last.release();
            decoded.set(0, refused);
        }
    }

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        if (start != 0) {
            throw new BadRequestException("The request line begins with a space.");
        }
        nextWord = length + 1;
        return super.splitFirstWordInitialLine(line, start, length);
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        checkWord(line, start);
        nextWord = start + length + 1;
        return super.splitSecondWordInitialLine(line, start, length);
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        checkWord(line, start);
        return super.splitThirdWordInitialLine(line, start, length);
    }

    private void checkWord(byte[] line, int start) {
        if (start != nextWord || line[start - 1] != ' ') {
            throw new BadRequestException("The parts of the request line are not separated by one space.");
        }
    }

    @Override
    protected HttpMessage createMessage(String[] line) {
        contentLengthSeen = false;
        fields = 0;
        return new DefaultHttpRequest(
                Strictness.version(line[2]), HttpMethod.valueOf(line[0]), line[1], new HeadersAsSent());
    }

    /** Sees a length as it was sent, before Netty makes the usual form of it. */
    private static final class HeadersAsSent extends DefaultHttpHeaders {
        @Override
        public HttpHeaders add(CharSequence name, Object value) {
            if (Strictness.isContentLength(name) && hasLeadingZero(value.toString())) {
                throw new BadRequestException("The Content-Length begins with a zero.");
            }
            return super.add(name, value);
        }

        private static boolean hasLeadingZero(String length) {
            return length.length() > 1 && length.charAt(0) == '0';
        }
    }

    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        if (++fields > mostFields) {
            throw BadRequestException.tooManyHeaders();
        }
        AsciiString name = super.splitHeaderName(line, start, length);
        if (Strictness.isContentLength(name)) {
            if (contentLengthSeen) {
                throw new BadRequestException("There is more than one Content-Length.");
            }
            contentLengthSeen = true;
        } else if (length == WEBSOCKET_DRAFT_KEY.length() && WEBSOCKET_DRAFT_KEY.contentEqualsIgnoreCase(name)) {
            throw new BadRequestException("This draft of the WebSocket protocol is not served.");
        }
        return name;
    }

    /** What is wrong with a body or trailers that could not be decoded. */
    static BadRequestException refusalOfBody(@Nullable Throwable cause) {
        BadRequestException refusal = refusal(cause);
        return refusal != null && refusal.status() != 400
                ? refusal
                : new BadRequestException("The body of the request is malformed.");
    }

    /** What is wrong with a request that could not be decoded; null when it was cut by the end of the connection. */
    static @Nullable BadRequestException refusal(@Nullable Throwable cause) {
        if (cause instanceof BadRequestException refusal) {
            return refusal;
        }
        if (cause instanceof TooLongHttpLineException) {
            return new BadRequestException(414, "The request line is too long.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new BadRequestException(431, "The headers are too large.");
        }
        if (cause instanceof PrematureChannelClosureException) {
            return null;
        }
        return new BadRequestException("The request is malformed.");
    }
}
