package dev.recloser.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.config.AdminConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.HostPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators see follows the configuration. */
@Timeout(60)
class ReloadedCircuitsTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private Gateway gateway;
    private AdminServer admin;

    @BeforeEach
    void start() throws IOException {
        gateway = Gateway.start(config("old: { destinations: [ http://a ] }", "kept: { destinations: [ http://a ] }"));
        admin = AdminServer.start(new AdminConfig(new HostPort("127.0.0.1", 0)), gateway);
    }

    @AfterEach
    void stop() {
        admin.close();
        gateway.close();
    }

    private static GatewayConfig config(String... clusters) {
        return ConfigReader.parse("c.yaml", """
                listen: 127.0.0.1:0
                routes: [ { match: { path: /** }, cluster: kept } ]
                clusters:
                  %s
                """.formatted(String.join("\n  ", clusters)))
                .config()
                .orElseThrow();
    }

    private void reload() {
        gateway.reload(
                config("kept: { destinations: [ http://b ], timeout: 7s }", "new: { destinations: [ http://a ] }"));
    }

    private String get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + admin.address().getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    @Test
    void circuitsAreThoseOfTheConfigurationThatIsServed() throws Exception {
        gateway.clusters().get("kept").breaker().isolate();
        reload();
        assertThat(get("/circuits"))
                .contains("\"kept\"", "\"new\"", "\"http://b:80\"", "\"timeout\" : 7")
                .doesNotContain("\"old\"");
        assertThat(get("/circuits/kept")).contains("\"ISOLATED\"");
        assertThat(get("/circuits/old")).contains("there is no cluster 'old'; the clusters are kept, new");
    }

    @Test
    void metricsOfClustersThatAreGoneAreGoneAndReloadsAreCounted() throws Exception {
        CircuitBreaker gone = gateway.clusters().get("old").breaker();
        assertThat(get("/metrics"))
                .contains("cluster=\"old\"", "recloser_config_last_reload_successful 1.0")
                .contains("recloser_config_reloads_total{result=\"success\"} 0.0");
        reload();
        gone.isolate();
        gateway.clusters().get("new").breaker().isolate();
        String metrics = get("/metrics");
        assertThat(metrics)
                .contains("recloser_circuit_state{cluster=\"new\"} 3.0")
                .contains("recloser_config_reloads_total{result=\"success\"} 1.0")
                .doesNotContain("cluster=\"old\"");
    }

    @Test
    void pagesAreToldAllAnewAndThenTheTransitionsOfNewClusters() throws Exception {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(8000);
            socket.connect(admin.address());
            socket.getOutputStream()
                    .write("GET /events HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(next(in, "state")).contains("\"old\"", "\"kept\"");
            reload();
            gateway.clusters().get("new").breaker().isolate();
            assertThat(next(in, "state"))
                    .contains("\"kept\"", "\"new\"", "\"timeout\":\"7s\"")
                    .doesNotContain("\"old\"");
            assertThat(next(in, "transition")).contains("\"cluster\":\"new\"", "\"to\":\"ISOLATED\"");
        }
    }

    /** The data of the next event of this kind. */
    private static String next(BufferedReader in, String kind) throws IOException {
        String line = in.readLine();
        while (!line.equals("event: " + kind)) {
            line = in.readLine();
        }
        return in.readLine();
    }
}
