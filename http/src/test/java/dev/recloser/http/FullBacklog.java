package dev.recloser.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** A server that accepts nothing, and has so many connections waiting that the system answers no further ones: a black hole. */
final class FullBacklog implements Closeable {

    private static final int MOST = 16;
    private static final int PATIENCE_MILLIS = 300;

    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final List<Socket> waiting = new ArrayList<>();

    FullBacklog() throws IOException {
        boolean full = false;
        while (!full) {
            if (waiting.size() == MOST) {
                throw new AssertionError("the backlog takes " + MOST + " connections");
            }
            Socket socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(listener.getLocalSocketAddress(), PATIENCE_MILLIS);
            } catch (SocketTimeoutException e) {
                full = true;
            }
        }
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/");
    }

    /** Those that waited are gone, there is room again, and the socket is there for somebody who accepts. */
    ServerSocket free() throws IOException {
        listener.setSoTimeout(PATIENCE_MILLIS);
        try {
            while (true) {
                listener.accept().close();
            }
        } catch (SocketTimeoutException empty) {
            listener.setSoTimeout(0);
        }
        closeWaiting();
        return listener;
    }

    private void closeWaiting() throws IOException {
        for (Socket socket : waiting) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        closeWaiting();
        listener.close();
    }
}
