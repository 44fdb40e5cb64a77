package dev.recloser.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/** A port on which nobody listens, and which nobody else can take meanwhile. */
final class RefusingPort implements Closeable {

    private final Socket bound = new Socket();

    RefusingPort() throws IOException {
        bound.setReuseAddress(true);
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    int port() {
        return bound.getLocalPort();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port() + "/");
    }

    /** From now on somebody does listen. */
    ServerSocket listen() throws IOException {
        int port = port();
        bound.close();
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return listener;
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
