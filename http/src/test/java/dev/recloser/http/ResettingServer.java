package dev.recloser.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that resets every connection as soon as it has accepted it. */
final class ResettingServer implements Closeable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger connections = new AtomicInteger();

    private final Thread thread = new Thread(this::accept, "resetting-server");
    private volatile boolean stopped;

    ResettingServer() throws IOException {
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (!stopped) {
                try (Socket socket = listener.accept()) {
                    connections.incrementAndGet();
                    socket.setSoLinger(true, 0);
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/");
    }

    int connections() {
        return connections.get();
    }

    /** Stops it, with a last connection; somebody else may accept in its place. */
    ServerSocket stop() throws IOException, InterruptedException {
        stopped = true;
        new Socket(listener.getInetAddress(), listener.getLocalPort()).close();
        thread.join();
        return listener;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
