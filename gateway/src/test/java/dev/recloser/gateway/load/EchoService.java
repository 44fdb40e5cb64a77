package dev.recloser.gateway.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A service that answers each request with the request's own body, or does so badly; a thread for each connection. It can be killed, and
 * comes back at the same port. It keeps nothing of what it has done, so that memory can be measured beside it.
 */
final class EchoService implements AutoCloseable {

    /** How requests are answered. */
    interface Behaviour {
        void answer(Call call) throws IOException, InterruptedException;
    }

    /** A request that has come in full. */
    record Call(Message request, InputStream in, Socket socket) {

        /** Its id, the last part of its path. */
        String id() {
            String path = request.head().split(" ", 3)[1];
            return path.substring(path.lastIndexOf('/') + 1);
        }

        void send(String text) throws IOException {
            send(text.getBytes(ISO_8859_1));
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        /** The right answer, if the id in the path and that in the body are the same. */
        String echo() {
            String body = request.body();
            boolean same = body.startsWith(id() + ".");
            return "HTTP/1.1 " + (same ? "200 OK" : "500 Mixed up") + "\r\nContent-Length: " + body.length()
                    + "\r\n\r\n" + body;
        }

        /** Waits for the gateway to give up. */
        void awaitClose() throws IOException {
            while (in.read() >= 0) {
                // nothing is expected
            }
        }

        /** Closes so that the other side sees an error. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "echo service");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final int port;
    private volatile ServerSocket listener;
    private volatile Behaviour behaviour;

    EchoService(Behaviour behaviour) throws IOException {
        this.behaviour = behaviour;
        this.listener = listenSomewhere();
        this.port = listener.getLocalPort();
    }

    /** At a port that the system gives to no connection, so that it is still free when the service comes back. */
    private ServerSocket listenSomewhere() throws IOException {
        while (true) {
            try {
                return listen(ThreadLocalRandom.current().nextInt(12_000, 32_000));
            } catch (BindException e) {
                // another one, then
            }
        }
    }

    private ServerSocket listen(int at) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 1000);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        threads.execute(() -> accept(socket));
        return socket;
    }

    int port() {
        return port;
    }

    void behave(Behaviour next) {
        behaviour = next;
    }

    private void accept(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                Socket socket = from.accept();
                open.add(socket);
                threads.execute(() -> serve(socket));
                if (from.isClosed()) {
                    socket.close();
                }
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (Message request = Message.read(in); request != null; request = Message.read(in)) {
                behaviour.answer(new Call(request, in, socket));
            }
        } catch (IOException | InterruptedException e) {
            // the connection is lost, as some scenarios want
        } finally {
            open.remove(socket);
        }
    }

    /** All connections are reset, and no new ones accepted. */
    void kill() throws IOException {
        listener.close();
        for (Socket socket : open) {
            if (!socket.isClosed()) {
                reset(socket);
            }
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // it was closed meanwhile
        }
    }

    void comeBack() throws IOException {
        listener = listen(port);
    }

    @Override
    public void close() throws IOException {
        kill();
        threads.shutdownNow();
    }
}
