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
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One service and the proxies before it, all of them running, on ports that were free. */
final class Testbed implements AutoCloseable {

    static final String SERVICE = "no proxy";
    static final String RECLOSER = "Recloser";
    static final String HAPROXY = "HAProxy";
    static final String NGINX = "nginx";
    static final String SPRING_CLOUD_GATEWAY = "Spring Cloud Gateway";

    private final Setup setup;
    private final Path folder;
    private final List<Server> servers = new ArrayList<>();
    private final Thread cleaner = new Thread(this::deleteFolder);

    private Testbed(Setup setup, Path folder) {
        this.setup = setup;
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(cleaner);
    }

    /** Starts the service, and sees to it that it answers as it should, as everything that is started later. */
    static Testbed start(Setup setup) throws IOException, InterruptedException {
        Testbed testbed = new Testbed(setup, Files.createTempDirectory("recloser-benchmarks-"));
        try {
            testbed.startService();
            return testbed;
        } catch (IOException | InterruptedException | RuntimeException e) {
            testbed.close();
            throw e;
        }
    }

    /** What it is like without a proxy. */
    Server service() {
        return servers.get(0);
    }

    /** A folder that is deleted in the end. */
    Path folder() {
        return folder;
    }

    /** Uploads to the service. */
    Load uploads() throws IOException {
        return Load.uploads(Template.write(folder, "upload.lua", Map.of()));
    }

    private void startService() throws IOException, InterruptedException {
        Path content = Files.createDirectory(folder.resolve("content"));
        for (Content each : Content.values()) {
            Files.writeString(content.resolve(each.file()), each.text());
        }
        int port = freePort();
        Map<String, Object> values = Map.of("port", port, "small", Content.SMALL.text(), "folder", folder);
        start(SERVICE, port, null, nginx(Template.write(folder, "nginx-service.conf", values)));
    }

    /** Starts Recloser's gateway with one event loop, and options for Java of its own. */
    Server startRecloser(String name, String... javaOptions) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("-Drecloser.loops=1"));
        options.addAll(List.of(javaOptions));
        int port = freePort();
        return start(name, port, setup.proxyCore(), setup.recloser(recloserConfig(port), options));
    }

    /** Starts Recloser's gateway on all cores, with an event loop for each. */
    Server startRecloserOnAllCores() throws IOException, InterruptedException {
        int port = freePort();
        return start("Recloser on all cores", port, setup.cores(), setup.recloser(recloserConfig(port), List.of()));
    }

    /** Writes a configuration of Recloser's gateway, in a place of its own: a gateway watches its file. */
    Path recloserConfig(int port) throws IOException {
        return Template.write(
                Files.createDirectory(folder.resolve("recloser-" + port)),
                "recloser.yaml",
                Map.of("port", port, "admin", freePort(), "service", service().port()));
    }

    Server startHaproxy() throws IOException, InterruptedException {
        int port = freePort();
        Path config = Template.write(
                folder, "haproxy.cfg", Map.of("port", port, "service", service().port()));
        return start(HAPROXY, port, setup.proxyCore(), List.of("haproxy", "-db", "-f", config.toString()));
    }

    Server startNginx() throws IOException, InterruptedException {
        int port = freePort();
        Map<String, Object> values = Map.of("port", port, "service", service().port(), "folder", folder);
        return start(NGINX, port, setup.proxyCore(), nginx(Template.write(folder, "nginx-proxy.conf", values)));
    }

    Server startSpringCloudGateway(Path jar) throws IOException, InterruptedException {
        int port = freePort();
        Path config = springCloudGatewayConfig(port);
        return start(SPRING_CLOUD_GATEWAY, port, setup.proxyCore(), Setup.springCloudGateway(jar, config));
    }

    /** Writes a configuration of Spring Cloud Gateway. */
    Path springCloudGatewayConfig(int port) throws IOException {
        return Template.write(
                folder,
                "spring-cloud-gateway.yaml",
                Map.of("port", port, "service", service().port()));
    }

    private List<String> nginx(Path config) {
        return List.of("nginx", "-p", folder.toString(), "-e", "stderr", "-c", config.toString());
    }

    private Server start(String name, int port, @Nullable String cores, List<String> command)
            throws IOException, InterruptedException {
        Report.progress("starting " + name);
        Server server = Server.start(name, port, folder, cores, command);
        servers.add(server);
        for (Content content : Content.values()) {
            verify(server, content.path(), content);
        }
        verify(server, Load.UPLOAD_PATH, Content.SMALL);
        return server;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void verify(Server server, String path, Content expected) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(10));
        if (path.equals(Load.UPLOAD_PATH)) {
            request.POST(BodyPublishers.ofString(Content.MEDIUM.text()));
        }
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200 || !response.body().equals(expected.text())) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "%s answers %s with %d and %d characters",
                    server.name(),
                    path,
                    response.statusCode(),
                    response.body().length()));
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
