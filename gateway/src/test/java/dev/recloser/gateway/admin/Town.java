package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.config.AdminConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.gateway.proxy.ScriptedService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A gateway with an admin server and clusters c-1, c-2 and so on, all of one scripted service. */
final class Town implements AutoCloseable {

    private static final String CLUSTER =
            "  c-%1$d: { destinations: [ \"http://127.0.0.1:%2$d\" ], circuit-breaker: { break-duration: 3s } }";
    private static final String ROUTE = "  - { match: { path: /c-%1$d }, cluster: c-%1$d }";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScriptedService service;
    private final Gateway gateway;
    private final Optional<String> token;
    private final int adminPort;
    private AdminServer admin;

    private Town(ScriptedService service, Gateway gateway, Optional<String> token) throws IOException {
        this.service = service;
        this.gateway = gateway;
        this.token = token;
        this.admin = AdminServer.start(new AdminConfig(new HostPort("127.0.0.1", 0), token), gateway);
        this.adminPort = admin.address().getPort();
    }

    static Town start(int clusters) throws IOException {
        return start(clusters, Optional.empty());
    }

    /** With the token that changes need. */
    static Town start(int clusters, Optional<String> token) throws IOException {
        ScriptedService service = ScriptedService.answering(ScriptedService.answer(200, "fine"));
        String yaml = "listen: 127.0.0.1:0\nroutes:\n" + lines(clusters, ROUTE, service.port()) + "\nclusters:\n"
                + lines(clusters, CLUSTER, service.port()) + "\n";
        return new Town(
                service, Gateway.start(ConfigReader.parse("town", yaml).config().orElseThrow()), token);
    }

    private static String lines(int count, String line, int port) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> line.formatted(number, port))
                .collect(Collectors.joining("\n"));
    }

    ScriptedService service() {
        return service;
    }

    int adminPort() {
        return adminPort;
    }

    String url() {
        return "http://127.0.0.1:" + adminPort() + "/";
    }

    void call(String cluster, int times) {
        try {
            for (int i = 0; i < times; i++) {
                client.send(request(cluster), BodyHandlers.discarding());
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void callLater(String cluster) {
        var unused = client.sendAsync(request(cluster), BodyHandlers.discarding());
    }

    private HttpRequest request(String cluster) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/" + cluster))
                .build();
    }

    private CircuitBreaker breaker(String cluster) {
        return gateway.clusters().get(cluster).breaker();
    }

    CircuitState state(String cluster) {
        return breaker(cluster).state();
    }

    void isolate(String cluster) {
        breaker(cluster).isolate();
    }

    void closeCircuit(String cluster) {
        breaker(cluster).close();
    }

    void stopAdmin() {
        admin.close();
    }

    /** Starts it anew at the same address. */
    void startAdmin() throws IOException {
        admin = AdminServer.start(new AdminConfig(new HostPort("127.0.0.1", adminPort), token), gateway);
    }

    @Override
    public void close() throws IOException {
        admin.close();
        gateway.close();
        service.close();
    }
}
