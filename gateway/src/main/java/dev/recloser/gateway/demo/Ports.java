package dev.recloser.gateway.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports that can be listened on. */
final class Ports {

    private Ports() {}

    /** The port if it is free, else 0, which is any that is free. */
    static int freeOr(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return port == 0 ? 0 : socket.getLocalPort();
        } catch (IOException e) {
            return 0;
        }
    }
}
