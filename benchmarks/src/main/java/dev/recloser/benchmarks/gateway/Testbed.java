package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.ShutdownHooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One service and the proxies before it, all of them running, on ports that were free. */
final class Testbed implements AutoCloseable {

    static final String SERVICE = "no proxy";
    static final String RECLOSER = "Recloser";
    static final String HAPROXY = "HAProxy";
    static final String NGINX = "nginx";

    private final Path folder;
    private final @Nullable Integer proxyCore;
    private final List<Server> servers = new ArrayList<>();
    private final Thread cleaner = new Thread(this::deleteFolder);

    private Testbed(Path folder, @Nullable Integer proxyCore) {
        this.folder = folder;
        this.proxyCore = proxyCore;
        Runtime.getRuntime().addShutdownHook(cleaner);
    }

    /**
     * Starts all of them, and sees to it that each answers as it should.
     *
     * @param gateway the command that runs Recloser's gateway, to which the configuration is added
     * @param proxyCore the core that proxies are bound to, or null
     */
    static Testbed start(List<String> gateway, @Nullable Integer proxyCore) throws IOException, InterruptedException {
        Testbed testbed = new Testbed(Files.createTempDirectory("recloser-benchmarks-"), proxyCore);
        try {
            int service = testbed.startService();
            testbed.startProxies(service, gateway);
            for (Server server : testbed.servers) {
                for (Content content : Content.values()) {
                    verify(server, content);
                }
            }
            return testbed;
        } catch (IOException | InterruptedException | RuntimeException e) {
            testbed.close();
            throw e;
        }
    }

    Server service() {
        return servers.get(0);
    }

    List<Server> proxies() {
        return servers.subList(1, servers.size());
    }

    /** The proxies, and the service as what it is like without one. */
    List<Server> servers() {
        return List.copyOf(servers);
    }

    private int startService() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("large"), Content.LARGE.text());
        int port = freePort();
        Map<String, Object> values = Map.of("port", port, "small", Content.SMALL.text(), "folder", folder);
        start(SERVICE, port, null, nginx(Template.write(folder, "nginx-service.conf", values)));
        return port;
    }

    private void startProxies(int service, List<String> gateway) throws IOException, InterruptedException {
        int port = freePort();
        Path config =
                Template.write(folder, "recloser.yaml", Map.of("port", port, "admin", freePort(), "service", service));
        List<String> command = new ArrayList<>(gateway);
        command.add(config.toString());
        start(RECLOSER, port, proxyCore, command);

        port = freePort();
        config = Template.write(folder, "haproxy.cfg", Map.of("port", port, "service", service));
        command = List.of("haproxy", "-db", "-f", config.toString());
        start(HAPROXY, port, proxyCore, command);

        port = freePort();
        config = Template.write(folder, "nginx-proxy.conf", Map.of("port", port, "service", service, "folder", folder));
        start(NGINX, port, proxyCore, nginx(config));
    }

    private List<String> nginx(Path config) {
        return List.of("nginx", "-p", folder.toString(), "-e", "stderr", "-c", config.toString());
    }

    private Server start(String name, int port, @Nullable Integer core, List<String> command)
            throws IOException, InterruptedException {
        Server server = Server.start(name, port, folder, core, command);
        servers.add(server);
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void verify(Server server, Content content) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + content.path()))
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200 || !response.body().equals(content.text())) {
            throw new IOException(server.name() + " answers " + content.path() + " with " + response.statusCode()
                    + " and " + response.body().length() + " characters");
        }
    }

    @Override
    public void close() {
        servers.forEach(Server::close);
        deleteFolder();
        ShutdownHooks.remove(cleaner);
    }

    /** As far as possible: when it is done early, a server may still be writing. */
    private void deleteFolder() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException | UncheckedIOException e) {
            Report.progress("could not delete " + folder + ": " + e);
        }
    }
}
