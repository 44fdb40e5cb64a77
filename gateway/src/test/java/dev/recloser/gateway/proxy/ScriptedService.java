package dev.recloser.gateway.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that does as it is told for each request, on connections that it keeps. */
public final class ScriptedService implements AutoCloseable {

    /** What to do when the head of a request has come. */
    public interface Script {
        void answer(Received head, RawConnection connection) throws Exception;
    }

    private final ServerSocket listener;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "scripted service");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Received> requests = new CopyOnWriteArrayList<>();
    private final List<RawConnection> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile Script script;

    ScriptedService(Script script) throws IOException {
        this.script = script;
        this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    /** A service that reads each request and gives this answer. */
    public static ScriptedService answering(String answer) throws IOException {
        return new ScriptedService(always(answer));
    }

    public static Script always(String answer) {
        return (head, connection) -> {
            connection.readBody(head, false);
            connection.send(answer);
        };
    }

    /** Like that, but not before the latch is open. */
    public static Script heldUntil(CountDownLatch open, String answer) {
        return (head, connection) -> {
            open.await();
            always(answer).answer(head, connection);
        };
    }

    /** An answer with a body. */
    public static String answer(int status, String body) {
        return "HTTP/1.1 " + status + " Scripted\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    public void now(Script next) {
        script = next;
    }

    public int port() {
        return listener.getLocalPort();
    }

    int connections() {
        return connections.get();
    }

    /** The heads of all requests, in the order in which they came. */
    List<Received> requests() {
        return requests;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                connections.incrementAndGet();
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (RawConnection connection = new RawConnection(socket)) {
            open.add(connection);
            socket.setSoTimeout(0);
            for (String head = connection.readHead(); head != null; head = connection.readHead()) {
                Received request = new Received(head, "");
                requests.add(request);
                script.answer(request, connection);
            }
        } catch (Exception e) {
            // the connection is lost, which some tests want
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (RawConnection connection : open) {
            connection.close();
        }
        threads.shutdownNow();
    }
}
