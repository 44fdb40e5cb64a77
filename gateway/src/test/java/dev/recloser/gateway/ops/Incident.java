package dev.recloser.gateway.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.admin.AdminServer;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.proxy.TestIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A gateway under traffic, with an incident: of its clusters one is well and sometimes slow, one fails, one is down, one was isolated by
 * hand, and one is never called.
 */
final class Incident implements AutoCloseable {

    static final String WELL = "accounts";
    static final String FAILING = "payments";
    static final String DOWN = "mail";
    static final String ISOLATED = "ledger";
    static final String IDLE = "archive";

    private static final String CONFIG = """
            listen: 127.0.0.1:0
            admin: 127.0.0.1:0
            routes:
              - { match: { path: /accounts/** }, cluster: accounts }
              - { match: { path: /payments/** }, cluster: payments }
              - { match: { path: /mail/** }, cluster: mail }
              - { match: { path: /ledger/** }, cluster: ledger }
              - { match: { path: /archive/** }, cluster: archive }
            clusters:
              accounts: { destinations: [ "http://127.0.0.1:${service}" ], timeout: 4s }
              payments: { destinations: [ "http://127.0.0.1:${service}" ], circuit-breaker: { break-duration: 1s } }
              mail: { destinations: [ "http://127.0.0.1:1" ], circuit-breaker: { break-duration: 1s } }
              ledger: { destinations: [ "http://127.0.0.1:${service}" ] }
              archive:
                destinations: [ "https://127.0.0.1:${service}" ]
                tls: { certificate: "${certificate}", key: "${key}" }
            """;

    private static final List<String> PATHS =
            List.of("/accounts/a", "/accounts/b", "/payments/a", "/mail/a", "/ledger/a", "/nowhere");
    private static final int SLOW_MILLIS = 2100;
    private static final int SLOW_CALLERS = 4;
    private static final int PAUSE_MILLIS = 10;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer service;
    private final Gateway gateway;
    private final AdminServer admin;

    /**
     * Begins.
     *
     * @param shown what the gateway shows to the services of one cluster
     */
    Incident(TestIdentity shown) throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> answer(exchange, 200));
        service.createContext("/payments", exchange -> answer(exchange, 500));
        service.createContext("/accounts/slow", exchange -> {
            pause(SLOW_MILLIS);
            answer(exchange, 200);
        });
        service.setExecutor(threads);
        service.start();
        String text = CONFIG.replace(
                        "${service}", Integer.toString(service.getAddress().getPort()))
                .replace("${certificate}", shown.certificateFile().toString())
                .replace("${key}", shown.keyFile().toString());
        GatewayConfig config =
                ConfigReader.parse("incident.yaml", text).config().orElseThrow();
        gateway = Gateway.start(config);
        admin = AdminServer.start(config.admin().orElseThrow(), gateway);
        gateway.clusters().get(ISOLATED).breaker().isolate();
        threads.execute(() -> callUntilClosed(PATHS));
        for (int i = 0; i < SLOW_CALLERS; i++) {
            threads.execute(() -> callUntilClosed(List.of("/accounts/slow")));
        }
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = {'d', 'o', 'n', 'e'};
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void callUntilClosed(List<String> paths) {
        while (!Thread.currentThread().isInterrupted()) {
            for (String path : paths) {
                call(path);
                pause(PAUSE_MILLIS);
            }
        }
    }

    private void call(String path) {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .POST(BodyPublishers.ofString("a body"))
                .build();
        try {
            client.send(request, BodyHandlers.discarding());
        } catch (IOException e) {
            // the gateway is being closed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where Prometheus finds the metrics. */
    String target() {
        return "127.0.0.1:" + admin.address().getPort();
    }

    /** The metrics as text. */
    String scrape() throws IOException, InterruptedException {
        URI uri = URI.create("http://" + target() + "/metrics");
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        admin.close();
        gateway.close();
        service.stop(0);
    }
}
