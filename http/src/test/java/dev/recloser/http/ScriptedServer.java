package dev.recloser.http;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server on loopback that answers each request as the script says, and the last answer of the script again and again. It keeps connections open
 * and notes what it gets.
 */
final class ScriptedServer implements Closeable {

    /** An answer. It writes what it likes; the connection is kept unless it returns false. */
    interface Answer {
        boolean write(Request request, OutputStream out) throws IOException, InterruptedException;
    }

    /** A request, and the number of the connection on which it came, from 1. */
    record Request(String method, String target, String head, String body, int connection, Socket socket) {

        String header(String name) {
            for (String line : head.lines().toList()) {
                int colon = line.indexOf(':');
                if (colon > 0 && line.substring(0, colon).equalsIgnoreCase(name)) {
                    return line.substring(colon + 1).trim();
                }
            }
            return "";
        }

        /** Returns when the client has closed its connection. */
        void awaitClose() throws IOException {
            InputStream in = socket.getInputStream();
            int read = 0;
            while (read >= 0) {
                read = in.read();
            }
        }

        /**
         * Lets so many milliseconds pass, unless the client closes the connection sooner.
         *
         * @throws IOException when it has closed it
         */
        void pause(int millis) throws IOException {
            socket.setSoTimeout(millis);
            try {
                awaitClose();
            } catch (SocketTimeoutException over) {
                socket.setSoTimeout(0);
                return;
            }
            throw new IOException("closed");
        }
    }

    /** The first byte of a client that speaks TLS; this server does not, and closes the connection. */
    private static final int TLS_HANDSHAKE = 0x16;

    private final ServerSocket listener;
    private final Queue<Answer> script = new ConcurrentLinkedQueue<>();
    private volatile Answer last = status(200, "ok");
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger closedByClient = new AtomicInteger();

    ScriptedServer(Answer... answers) {
        this(freeListener(), answers);
    }

    /** A server on a port that was chosen before. */
    ScriptedServer(ServerSocket listener, Answer... answers) {
        this.listener = listener;
        then(answers);
        start(this::accept);
    }

    private static ServerSocket freeListener() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds to the script. */
    ScriptedServer then(Answer... answers) {
        for (Answer answer : answers) {
            script.add(answer);
        }
        return this;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + path);
    }

    int port() {
        return listener.getLocalPort();
    }

    List<Request> requests() {
        return requests;
    }

    int connections() {
        return connections.get();
    }

    /** How many connections their clients have closed or broken. */
    int closedByClient() {
        return closedByClient.get();
    }

    // ---- answers

    /** A whole answer, with further header lines. */
    static Answer status(int status, String body, String... headers) {
        return (request, out) -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\n");
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
            out.write(head.toString().getBytes(StandardCharsets.US_ASCII));
            if (!request.method().equals("HEAD")) {
                out.write(bytes);
            }
            out.flush();
            return true;
        };
    }

    /** Bytes as they are, and the end of the connection. */
    static Answer raw(String text) {
        return (request, out) -> {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return false;
        };
    }

    /** Bytes as they are, and then nothing until the client closes the connection. */
    static Answer rawThenSilence(String text) {
        return (request, out) -> {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            request.awaitClose();
            return false;
        };
    }

    /** No answer. */
    static Answer silence() {
        return rawThenSilence("");
    }

    /** A head that breaks off: the JDK's client does not try this again by itself, as it does with a connection that closes without a byte. */
    static Answer brokenHead() {
        return raw("HTTP/1.1 200");
    }

    /** A body without end. */
    static Answer endless(int status) {
        return (request, out) -> {
            out.write(("HTTP/1.1 " + status + " Whatever\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("400\r\n" + "x".repeat(0x400) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            while (true) {
                out.write(chunk);
                out.flush();
            }
        };
    }

    // ---- connections

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                int number = connections.incrementAndGet();
                open.add(socket);
                start(() -> serve(socket, number));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            InputStream in = socket.getInputStream();
            boolean keep = true;
            while (keep) {
                String head = readHead(in);
                if (head.isEmpty()) {
                    closedByClient.incrementAndGet();
                    return;
                }
                Request request = request(head, in, number, socket);
                requests.add(request);
                keep = next().write(request, socket.getOutputStream());
            }
        } catch (IOException | InterruptedException broken) {
            closedByClient.incrementAndGet();
        } finally {
            open.remove(socket);
        }
    }

    private synchronized Answer next() {
        Answer next = script.poll();
        last = next == null ? last : next;
        return last;
    }

    private static String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        String text = "";
        while (!text.endsWith("\r\n\r\n")) {
            int read = in.read();
            boolean isTls = read == TLS_HANDSHAKE && head.size() == 0;
            if (read < 0 || isTls) {
                return "";
            }
            head.write(read);
            text = read == '\n' ? head.toString(StandardCharsets.US_ASCII) : text;
        }
        return text;
    }

    private static Request request(String head, InputStream in, int number, Socket socket) throws IOException {
        List<String> line = List.of(head.lines().findFirst().orElse("").split(" ", -1));
        Request empty = new Request(line.get(0), line.get(1), head, "", number, socket);
        String body = "";
        if (empty.header("Transfer-Encoding").toLowerCase(Locale.ROOT).equals("chunked")) {
            body = readChunks(in);
        } else if (!empty.header("Content-Length").isEmpty()) {
            body = read(in, Integer.parseInt(empty.header("Content-Length")));
        }
        return new Request(line.get(0), line.get(1), head, body, number, socket);
    }

    private static String readChunks(InputStream in) throws IOException {
        StringBuilder body = new StringBuilder();
        int size = Integer.parseInt(readLine(in), 16);
        while (size > 0) {
            body.append(read(in, size));
            readLine(in);
            size = Integer.parseInt(readLine(in), 16);
        }
        readLine(in);
        return body.toString();
    }

    private static String read(InputStream in, int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int read = in.read();
        while (read >= 0 && read != '\n') {
            line.append((char) read);
            read = in.read();
        }
        return line.toString().trim();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
