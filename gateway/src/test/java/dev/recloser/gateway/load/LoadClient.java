package dev.recloser.gateway.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A client of HTTP/1.1 with one connection, which it makes anew when the gateway has closed it. */
final class LoadClient implements Asking {

    /** Where a slow client is slow. */
    enum Slow {
        HEAD,
        BODY,
        ANSWER
    }

    static final int BLOCK = 64 * 1024;
    private static final int BOUND_MILLIS = 60_000;

    private final InetSocketAddress gateway;
    private final Ledger ledger;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    LoadClient(InetSocketAddress gateway, Ledger ledger) {
        this.gateway = gateway;
        this.ledger = ledger;
    }

    private void connect() throws IOException {
        if (socket == null) {
            Socket made = new Socket(gateway.getAddress(), gateway.getPort());
            made.setTcpNoDelay(true);
            made.setSoTimeout(BOUND_MILLIS);
            socket = made;
            in = new BufferedInputStream(made.getInputStream());
        }
    }

    private void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    private static String head(String method, String cluster, String id, int length) {
        return method + " /" + cluster + "/" + id + " HTTP/1.1\r\nHost: load\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Override
    public String ask(String cluster, int size) throws IOException {
        connect();
        String id = ledger.send();
        String body = Ledger.body(id, size);
        try {
            send(head("POST", cluster, id, body.length()) + body);
        } catch (IOException e) {
            // An answer may be there all the same.
        }
        return receive(cluster, body);
    }

    /** Reads the answer, and nothing after it. */
    private String receive(String cluster, String expected) throws IOException {
        boolean begun = false;
        try {
            in.mark(1);
            begun = in.read() >= 0;
            in.reset();
            Message answer = begun ? Message.read(in) : null;
            if (answer != null) {
                String reason = Ledger.reason(cluster, answer.status(), answer.body(), expected);
                if (in.available() > 0) {
                    throw new AssertionError("more than one answer");
                }
                if (answer.isLast()) {
                    close();
                }
                return ledger.end(cluster, reason);
            }
        } catch (IOException e) {
            // broken off
        }
        close();
        return ledger.end(cluster, begun ? Ledger.CUT : Ledger.UNREAD);
    }

    /** Does the same slowly, and in the middle of it waits until all others have come as far. */
    void askSlowly(String cluster, int size, Slow where, long pauseMillis, CountDownLatch others)
            throws IOException, InterruptedException {
        connect();
        String id = ledger.send();
        String body = Ledger.body(id, size);
        String head = head("POST", cluster, id, body.length());
        if (where == Slow.HEAD) {
            sendSlowly(head, pauseMillis, others);
        } else {
            send(head);
        }
        if (where == Slow.BODY) {
            sendSlowly(body, pauseMillis, others);
        } else {
            send(body);
        }
        if (where == Slow.ANSWER) {
            in = new SlowInput(in, body.length() / 2, pauseMillis, others);
        }
        receive(cluster, body);
    }

    private void sendSlowly(String text, long pauseMillis, CountDownLatch others)
            throws IOException, InterruptedException {
        int step = Math.max(1, text.length() / 8);
        for (int at = 0, number = 0; at < text.length(); at += step, number++) {
            if (number == 4) {
                others.countDown();
                others.await();
            }
            send(text.substring(at, Math.min(text.length(), at + step)));
            Thread.sleep(pauseMillis);
        }
    }

    /** Reads a large answer: some pieces slowly, and when it may, the rest. */
    void download(String cluster, long size, int pieces, CountDownLatch mayHaste)
            throws IOException, InterruptedException {
        connect();
        String id = ledger.send();
        byte[] expected = block(id);
        send(head("GET", cluster, id, 0));
        String head = Message.readHead(in);
        if (head == null || !String.valueOf(size).equals(Message.header(head, "content-length"))) {
            throw new AssertionError("not the answer: " + head);
        }
        for (long read = 0, number = 0; read < size; read += BLOCK, number++) {
            if (number < pieces) {
                Thread.sleep(20);
            } else if (number == pieces) {
                mayHaste.await();
            }
            if (!Arrays.equals(in.readNBytes(BLOCK), expected)) {
                throw new AssertionError("crossed or cut after " + read + " bytes");
            }
        }
        ledger.end(cluster, "ok");
    }

    /** What an answer to this request consists of, over and over. */
    static byte[] block(String id) {
        return Arrays.copyOf(Ledger.body(id, BLOCK * 2).getBytes(ISO_8859_1), BLOCK);
    }

    /** Whether it keeps a connection for its next request. */
    boolean isConnected() {
        return socket != null;
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
