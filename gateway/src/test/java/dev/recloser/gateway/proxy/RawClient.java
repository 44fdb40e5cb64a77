package dev.recloser.gateway.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/** A client that sends any bytes, and reads answers as HTTP/1.1 says. */
final class RawClient extends RawConnection {

    RawClient(InetSocketAddress gateway) throws IOException {
        super(new Socket(gateway.getAddress(), gateway.getPort()));
    }

    @Override
    RawClient send(String text) throws IOException {
        super.send(text);
        return this;
    }

    @Override
    RawClient send(byte[] bytes) throws IOException {
        super.send(bytes);
        return this;
    }

    /** Sends a GET without anything special. */
    RawClient get(String path) throws IOException {
        send("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n");
        return this;
    }

    /** The next head, interim ones too. */
    Received head() throws IOException {
        String head = readHead();
        if (head == null) {
            throw new IOException("the connection was closed instead of an answer");
        }
        return new Received(head, "");
    }

    Received answer() throws IOException {
        Received head = head();
        boolean empty = head.status() == 204 || head.status() == 304 || head.status() < 200;
        return new Received(head.head(), empty ? "" : readBody(head, true));
    }

    /** The answer, if its head begins to come within the time that reading may take; else null. */
    @Nullable
    Received answerIfThereIs() throws IOException {
        try {
            return answer();
        } catch (SocketTimeoutException e) {
            return null;
        }
    }

    /** Sends one request on a connection of its own. */
    static Received exchange(InetSocketAddress gateway, String request) throws IOException {
        try (RawClient client = new RawClient(gateway)) {
            client.send(request);
            return client.answer();
        }
    }
}
