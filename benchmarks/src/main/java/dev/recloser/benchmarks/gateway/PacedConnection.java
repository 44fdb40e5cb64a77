package dev.recloser.benchmarks.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection of the {@link PacedClient}, with one request at a time. */
final class PacedConnection implements AutoCloseable {

    private static final int LONGEST_ANSWER = 16 * 1024;
    private static final String LENGTH = "\r\ncontent-length:";
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final SocketChannel channel;
    private final ByteBuffer request;
    private final ByteBuffer answer = ByteBuffer.allocate(LONGEST_ANSWER);
    private final long interval;
    private long due;
    private long freeSince;
    private boolean free = true;

    private PacedConnection(SocketChannel channel, byte[] request, long due, long interval) {
        this.channel = channel;
        this.request = ByteBuffer.wrap(request);
        this.due = due;
        this.interval = interval;
        this.freeSince = System.nanoTime();
    }

    /**
     * Connects.
     *
     * @param due when the first request is to be sent
     * @param interval the time from one request to the next
     */
    static PacedConnection open(Selector selector, int port, String path, long due, long interval) throws IOException {
        byte[] request = ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + END_OF_HEAD)
                .getBytes(StandardCharsets.US_ASCII);
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        PacedConnection connection = new PacedConnection(channel, request, due, interval);
        channel.register(selector, SelectionKey.OP_READ, connection);
        return connection;
    }

    boolean isFree() {
        return free;
    }

    boolean isToSend(long now, long end) {
        return free && now - due >= 0 && due - end < 0;
    }

    /** Sends the request that is due. */
    void send() throws IOException {
        channel.write(request.rewind());
        if (request.hasRemaining()) {
            throw new IOException("a small request did not fit into an empty socket");
        }
        free = false;
    }

    /** Whether the request that is under way had to wait for the answer before it. */
    boolean hadToWait() {
        return freeSince - due > 0;
    }

    /** When the request that is under way was due, or the next one is. */
    long due() {
        return due;
    }

    /** When the last answer was complete. */
    long freeSince() {
        return freeSince;
    }

    /** Reads what is there; whether the answer is complete now. */
    boolean read() {
        try {
            if (channel.read(answer) < 0) {
                throw new IOException("the connection was closed");
            }
            if (!isComplete()) {
                return false;
            }
            freeSince = System.nanoTime();
            answer.clear();
            due += interval;
            free = true;
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isComplete() throws IOException {
        String text = new String(answer.array(), 0, answer.position(), StandardCharsets.ISO_8859_1);
        int endOfHead = text.indexOf(END_OF_HEAD);
        if (endOfHead < 0) {
            return false;
        }
        String head = text.substring(0, endOfHead + 2).toLowerCase(Locale.ROOT);
        int length = head.indexOf(LENGTH);
        if (!head.startsWith("http/1.1 200 ") || length < 0) {
            throw new IOException("not the answer expected:\n" + text);
        }
        int start = length + LENGTH.length();
        int body = Integer.parseInt(
                head.substring(start, head.indexOf('\r', start)).strip());
        return answer.position() >= endOfHead + END_OF_HEAD.length() + body;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
