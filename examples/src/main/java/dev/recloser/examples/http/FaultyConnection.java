package dev.recloser.examples.http;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A connection of the {@link FaultyService}: one request at a time, without a body. What a client does to it never throws. */
final class FaultyConnection {

    private static final int LONGEST_HEAD = 8 * 1024;
    private static final int END_OF_HEAD = 0x0d0a0d0a;
    private static final byte[] FINE = answer("200 OK", "fine");
    private static final byte[] UNAVAILABLE = answer("503 Service Unavailable", "busy");

    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(LONGEST_HEAD);
    private int lastFour;
    private long due;
    private byte[] answer = FINE;

    private FaultyConnection(SocketChannel channel) {
        this.channel = channel;
    }

    private static byte[] answer(String status, String body) {
        return ("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Takes one that waits to be accepted, if there is still one. */
    static void accept(ServerSocketChannel server, Selector selector) throws IOException {
        SocketChannel channel = server.accept();
        if (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, new FaultyConnection(channel));
        }
    }

    /** Reads what is there: false once the head of a request has come. */
    boolean isClosedOrIncomplete() {
        try {
            in.clear();
            if (channel.read(in) < 0) {
                channel.close();
                return true;
            }
        } catch (IOException e) {
            reset();
            return true;
        }
        in.flip();
        while (in.hasRemaining()) {
            lastFour = (lastFour << Byte.SIZE) | (in.get() & 0xff);
            if (lastFour == END_OF_HEAD) {
                return false;
            }
        }
        return true;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** When the answer is to be sent, by the monotonic clock. */
    long due() {
        return due;
    }

    void answerAt(long time, boolean unavailable) {
        due = time;
        answer = unavailable ? UNAVAILABLE : FINE;
    }

    void answer() {
        try {
            ByteBuffer out = ByteBuffer.wrap(answer);
            channel.write(out);
            if (out.hasRemaining()) {
                reset();
            }
        } catch (IOException e) {
            reset();
        }
    }

    /** Closes it with a reset rather than an orderly end. */
    void reset() {
        try (channel) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // It is closed already, or is so now.
        }
    }
}
