package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Child;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server in processes of its own, on a port of the loopback address. */
final class Server implements AutoCloseable {

    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);

    private final String name;
    private final int port;
    private final Child child;
    private final Path log;

    private Server(String name, int port, Child child, Path log) {
        this.name = name;
        this.port = port;
        this.child = child;
        this.log = log;
    }

    /**
     * Starts a server, and waits until it accepts connections.
     *
     * @param cores to which it is bound, or null
     */
    static Server start(String name, int port, Path folder, @Nullable String cores, List<String> command)
            throws IOException, InterruptedException {
        List<String> bound = Setup.bound(cores, command);
        Path log = folder.resolve(name.replace(' ', '-') + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(bound).redirectErrorStream(true).redirectOutput(log.toFile());
        Server server = new Server(name, port, Child.start(builder), log);
        server.awaitListening();
        return server;
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    /** Its first process, which for a JVM is the only one. */
    long pid() {
        return child.process().pid();
    }

    /** Whether it is a JVM, which is slow until its code is compiled. */
    boolean isJvm() {
        return child.process()
                .info()
                .command()
                .filter(command -> command.endsWith("/java"))
                .isPresent();
    }

    private void awaitListening() throws IOException, InterruptedException {
        long end = System.nanoTime() + STARTS_WITHIN.toNanos();
        while (!isListening()) {
            if (!child.process().isAlive() || System.nanoTime() - end > 0) {
                close();
                throw new IOException(name + " did not start:\n" + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** What all of its processes have needed so far, in user and kernel mode. */
    Duration cpuTime() throws IOException {
        Duration sum = Duration.ZERO;
        for (ProcessHandle each : child.all()) {
            sum = sum.plus(ProcFile.cpuTime(each.pid()));
        }
        return sum;
    }

    /** The memory of all of its processes. What they share counts for each. */
    long residentBytes() throws IOException {
        long sum = 0;
        for (ProcessHandle each : child.all()) {
            sum += ProcFile.residentBytes(each.pid());
        }
        return sum;
    }

    @Override
    public void close() {
        child.close();
    }

    @Override
    public String toString() {
        return name + " on port " + port;
    }
}
