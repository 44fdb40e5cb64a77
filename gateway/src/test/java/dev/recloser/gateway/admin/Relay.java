package dev.recloser.gateway.admin;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections on to a port of this machine, until it is cut like a cable. */
final class Relay implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final int port;
    private volatile boolean cut;

    Relay(int port) throws IOException {
        this.port = port;
        start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    /** Ends all connections, and those that come until it is mended. */
    void cut() throws IOException {
        cut = true;
        closeAll();
    }

    void mend() {
        cut = false;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            if (cut) {
                client.close();
            } else {
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(client);
                sockets.add(behind);
                start(() -> pass(client, behind));
                start(() -> pass(behind, client));
            }
        }
    }

    private static void pass(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // closed
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void closeAll() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    @Override
    public void close() throws IOException {
        server.close();
        closeAll();
    }
}
