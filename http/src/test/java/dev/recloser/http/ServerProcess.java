package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * nginx or HAProxy as a process, with a configuration of the test's, on a free port of the loopback address. It notes every request
 * in a file, a line each, when it has ended.
 *
 * <p>Where the program is not installed the test is skipped; with {@code RECLOSER_SERVERS=required} in the environment, as in
 * {@code .ci/run}, it fails.
 */
final class ServerProcess implements Closeable {

    private static final String NGINX = """
            daemon off;
            user root;
            worker_processes 1;
            pid ${folder}/pid;
            error_log stderr warn;
            events { worker_connections 256; }
            http {
                log_format plain "$request_method $request_uri $status $server_protocol connection=$connection";
                access_log ${folder}/requests plain;
                default_type text/plain;
                client_body_temp_path ${folder}/client-body;
                proxy_temp_path ${folder}/proxy;
                fastcgi_temp_path ${folder}/fastcgi;
                uwsgi_temp_path ${folder}/uwsgi;
                scgi_temp_path ${folder}/scgi;
                proxy_buffering off;
            ${servers}
            }
            """;

    private static final String HAPROXY = """
            global
                log stdout format raw local0
            defaults
                mode http
                log global
                log-format "%HM %HP %ST %HV"
                timeout connect 1s
                timeout client 30s
                timeout server 30s
                retries 0
            frontend in
                bind 127.0.0.1:${port}
                default_backend service
            backend service
                server one 127.0.0.1:${backend}
            """;

    private final Process process;
    private final int port;
    private final Path log;
    private final Path requests;

    private ServerProcess(Process process, int port, Path log, Path requests) {
        this.process = process;
        this.port = port;
        this.log = log;
        this.requests = requests;
    }

    /**
     * Starts nginx.
     *
     * @param folder an empty one
     * @param servers the part of the configuration with the servers, in which <code>${port}</code> and <code>${folder}</code> stand for
     *     those values
     */
    static ServerProcess nginx(Path folder, String servers) throws IOException {
        String program = installed("nginx");
        int port = freePort();
        String config = NGINX.replace("${servers}", servers)
                .replace("${folder}", folder.toString())
                .replace("${port}", Integer.toString(port));
        Path file = Files.writeString(folder.resolve("nginx.conf"), config);
        return start(
                port,
                folder.resolve("log"),
                folder.resolve("requests"),
                program,
                "-p",
                folder.toString(),
                "-e",
                "stderr",
                "-c",
                file.toString());
    }

    /** Starts HAProxy before one service, whose health it does not check. */
    static ServerProcess haproxy(Path folder, int backend) throws IOException {
        String program = installed("haproxy");
        int port = freePort();
        String config =
                HAPROXY.replace("${port}", Integer.toString(port)).replace("${backend}", Integer.toString(backend));
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), config);
        Path log = folder.resolve("log");
        return start(port, log, log, program, "-db", "-f", file.toString());
    }

    private static String installed(String name) {
        String found = Stream.concat(
                        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse("");
        if (!"required".equals(System.getenv("RECLOSER_SERVERS"))) {
            assumeTrue(!found.isEmpty(), () -> name + " is not installed; on Debian: apt-get install " + name);
        }
        assertThat(found)
                .as(name + " must be installed, since RECLOSER_SERVERS=required")
                .isNotEmpty();
        return found;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static ServerProcess start(int port, Path log, Path requests, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ServerProcess server = new ServerProcess(process, port, log, requests);
        Await.until(() -> !process.isAlive() || server.isListening());
        if (!process.isAlive()) {
            throw new AssertionError(command[0] + " did not start:\n" + Files.readString(log));
        }
        return server;
    }

    private boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    URI secureUri(String path) {
        return URI.create("https://localhost:" + port + path);
    }

    /** The requests that have ended, once there are as many as that: {@code GET / 200 HTTP/1.1} and perhaps more. */
    List<String> awaitRequests(int count) {
        Await.until(() -> requests().size() >= count);
        return requests();
    }

    private List<String> requests() {
        try {
            return Files.exists(requests)
                    ? Files.readAllLines(requests).stream()
                            .filter(line -> line.startsWith("GET ") || line.startsWith("POST "))
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Lets the workers end, which say goodbye to their clients, and others begin. */
    void reload() {
        assertThat(process.isAlive()).isTrue();
        try {
            new ProcessBuilder("kill", "-HUP", Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What it has said on its way, for a test that fails. */
    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        process.destroy();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
