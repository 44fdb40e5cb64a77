package dev.recloser.benchmarks.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;

/**
 * A server that does the least: it answers each request with the same hundred bytes, on connections that it keeps. One thread, no
 * object per request. It knows no requests with a body.
 */
final class KeepAliveServer {

    static final int BODY_LENGTH = 100;

    private static final int LONGEST_HEAD = 16 * 1024;
    private static final int END_OF_HEAD = 0x0d0a0d0a;
    private static final byte[] ANSWER = ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
                    + BODY_LENGTH + "\r\n\r\n" + "x".repeat(BODY_LENGTH))
            .getBytes(StandardCharsets.US_ASCII);

    private final Selector selector;
    private final ServerSocketChannel listener;

    private KeepAliveServer() throws IOException {
        selector = Selector.open();
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Prints its port, and serves until standard input ends. */
    public static void main(String[] args) throws IOException {
        KeepAliveServer server = new KeepAliveServer();
        Thread watch = new Thread(KeepAliveServer::endWithTheParent, "end");
        watch.setDaemon(true);
        watch.start();
        System.out.println(server.listener.socket().getLocalPort());
        server.serve();
    }

    private static void endWithTheParent() {
        try {
            while (System.in.read() >= 0) {
                // nothing is said
            }
        } catch (IOException e) {
            // it has ended
        }
        Runtime.getRuntime().halt(0);
    }

    private void serve() throws IOException {
        while (true) {
            selector.select();
            Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
            while (keys.hasNext()) {
                SelectionKey key = keys.next();
                keys.remove();
                if (key.isAcceptable()) {
                    accept();
                } else {
                    read(key);
                }
            }
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = listener.accept();
        if (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, new Connection(channel));
        }
    }

    private static void read(SelectionKey key) throws IOException {
        Connection connection = (Connection) key.attachment();
        try {
            connection.read();
        } catch (IOException e) {
            key.cancel();
            connection.channel.close();
        }
    }

    /** What has been read of a head are its last four bytes: more need not be known. */
    private static final class Connection {

        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocateDirect(LONGEST_HEAD);
        private final ByteBuffer answer =
                ByteBuffer.allocateDirect(ANSWER.length).put(ANSWER);
        private int lastFour;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        void read() throws IOException {
            if (channel.read(in) < 0) {
                throw new IOException("closed");
            }
            in.flip();
            while (in.hasRemaining()) {
                lastFour = (lastFour << Byte.SIZE) | (in.get() & 0xff);
                if (lastFour == END_OF_HEAD) {
                    answer();
                }
            }
            in.clear();
        }

        private void answer() throws IOException {
            channel.write(answer.rewind());
            if (answer.hasRemaining()) {
                throw new IOException("a small answer did not fit into an empty socket");
            }
        }
    }
}
