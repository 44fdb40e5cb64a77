package dev.recloser.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port for a program that cannot choose one itself. */
public final class FreePort {

    private FreePort() {}

    /** A port of the loopback address at which nobody listens just now. */
    public static int find() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
