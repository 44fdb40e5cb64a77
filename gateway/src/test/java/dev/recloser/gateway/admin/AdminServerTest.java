package dev.recloser.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.spi.Ticket;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin server, over real sockets. */
class AdminServerTest {

    private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicBoolean draining = new AtomicBoolean();
    private CircuitBreaker accounts;
    private AdminServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        GatewayConfig config = ConfigReader.parse("c.yaml", """
                listen: 127.0.0.1:0
                routes: [ { match: { path: /** }, cluster: accounts } ]
                clusters:
                  accounts: { destinations: [ "http://127.0.0.1:9101" ], timeout: 1500ms }
                  transfers: { destinations: [ "http://[::1]:9201", "http://b" ] }
                """).config().orElseThrow();
        List<Circuit> circuits = config.clusters().values().stream()
                .map(AdminServerTest::circuit)
                .toList();
        accounts = circuits.get(0).breaker();
        server = AdminServer.start(ANY_PORT, circuits, draining::get);
        port = server.address().getPort();
    }

    private static Circuit circuit(ClusterConfig cluster) {
        return new Circuit(
                cluster,
                CircuitBreaker.of(cluster.name(), cluster.circuitBreaker(), TimeSource.system()),
                () -> Map.of("ok", 7L),
                () -> 2);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aliveAndReadyUntilItDrains() throws Exception {
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        draining.set(true);
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
    }

    @Test
    void rootListsTheEndpointsAndClusters() throws Exception {
        assertThat(get("/").body()).contains("/circuits/{cluster}/isolate", "clusters: accounts, transfers");
    }

    @Test
    void closedCircuitIsShownWithItsCountsAndSettings() throws Exception {
        settle(OutcomeClass.SUCCESS, 3);
        settle(OutcomeClass.FAILURE, 1);
        HttpResponse<String> response = get("/circuits/accounts");
        assertThat(response.headers().firstValue("content-type")).contains("application/json");
        assertThat(fields(response.body()))
                .containsEntry("cluster", "accounts")
                .containsEntry("state", "CLOSED")
                .containsEntry("calls", "4")
                .containsEntry("failures", "1")
                .containsEntry("failureRatio", "0.25")
                .containsEntry("nextProbe", "null")
                .containsEntry("reopenings", "0")
                .containsEntry("rejected", "0")
                .containsEntry("late", "0")
                .containsEntry("lost", "0")
                .containsEntry("inFlight", "2")
                .containsEntry("requests.ok", "7")
                .containsEntry("destinations", "http://127.0.0.1:9101")
                .containsEntry("settings.failureRatio", "0.5")
                .containsEntry("settings.minimumThroughput", "5")
                .containsEntry("settings.samplingDuration", "10")
                .containsEntry("settings.breakDuration", "30")
                .containsEntry("settings.timeout", "1.5")
                .containsKeys("since", "timeInState");
    }

    @Test
    void beginningOfAStateIsTheSameAtEachLook() throws Exception {
        String first = fields(get("/circuits/accounts").body()).get("since");
        for (int i = 0; i < 200; i++) {
            assertThat(fields(get("/circuits/accounts").body())).containsEntry("since", first);
        }
        accounts.isolate();
        assertThat(fields(get("/circuits/accounts").body()).get("since")).isGreaterThanOrEqualTo(first);
    }

    @Test
    void openCircuitIsShownWithTheTimeToItsNextProbe() throws Exception {
        settle(OutcomeClass.FAILURE, 5);
        accounts.acquire();
        Map<String, String> fields = fields(get("/circuits/accounts").body());
        assertThat(fields)
                .containsEntry("state", "OPEN")
                .containsEntry("calls", "5")
                .containsEntry("rejected", "1");
        assertThat(Double.parseDouble(fields.get("nextProbe"))).isBetween(20.0, 30.0);
    }

    @Test
    void allCircuitsAreListedInTheOrderOfTheFile() throws Exception {
        String body = get("/circuits").body();
        assertThat(body).startsWith("[").endsWith("]\n");
        assertThat(body.indexOf("\"accounts\"")).isPositive().isLessThan(body.indexOf("\"transfers\""));
    }

    @Test
    void circuitIsIsolatedAndClosedByHand() throws Exception {
        HttpResponse<String> isolated = post("/circuits/accounts/isolate");
        assertThat(isolated.statusCode()).isEqualTo(200);
        assertThat(fields(isolated.body())).containsEntry("state", "ISOLATED");
        assertThat(accounts.state()).isEqualTo(CircuitState.ISOLATED);
        assertThat(fields(post("/circuits/accounts/close").body())).containsEntry("state", "CLOSED");
        assertThat(accounts.state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "http://127.0.0.1:1", "null", ""})
    void pageOfSomebodyElseChangesNothing(String origin) throws Exception {
        String answer = raw("POST /circuits/accounts/isolate HTTP/1.1\r\nHost: evil.example\r\nOrigin: " + origin
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403").contains("application/problem+json");
        assertThat(accounts.state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:", "http://localhost:"})
    void pageOfItsOwnMayChangeACircuit(String origin) throws Exception {
        String answer = raw("POST /circuits/accounts/isolate HTTP/1.1\r\nHost: a\r\nOrigin: " + origin + port
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET  | /nothing                   | there is nothing at /nothing; see / for what there is
            GET  | /circuits/                 | there is no cluster ''; the clusters are accounts, transfers
            GET  | /circuits/account          | there is no cluster 'account'; the clusters are accounts, transfers
            POST | /circuits/accounts/reset   | there is nothing at /circuits/accounts/reset; see / for what there is
            POST | /circuits/accounts/close/  | there is nothing at /circuits/accounts/close/; see / for what there is
            """)
    void whatIsNotThereIsAProblem(String method, String path, String detail) throws Exception {
        HttpResponse<String> response = send(method, path);
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(fields(response.body())).containsEntry("status", "404").containsEntry("detail", detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST   | /healthz                   | GET, HEAD
            DELETE | /circuits                  | GET, HEAD
            PUT    | /circuits/accounts         | GET, HEAD
            GET    | /circuits/accounts/isolate | POST
            """)
    void methodThatIsNotServedIsAProblemThatNamesThoseThatAre(String method, String path, String allowed)
            throws Exception {
        HttpResponse<String> response = send(method, path);
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).contains(allowed);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() throws Exception {
        HttpResponse<String> response = send("HEAD", "/circuits/accounts");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(Integer.parseInt(
                        response.headers().firstValue("content-length").orElseThrow()))
                .isPositive();
    }

    @Test
    void whatIsNoHttpIsRefusedAndTheConnectionClosed() throws Exception {
        assertThat(raw("nonsense\r\n\r\n")).startsWith("HTTP/1.1 400");
    }

    @Test
    void addressInUseIsSaid() {
        HostPort taken = new HostPort("127.0.0.1", port);
        assertThatThrownBy(() -> AdminServer.start(taken, List.of(), () -> false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on 127.0.0.1:" + port)
                .hasMessageContaining("in use");
    }

    private void settle(OutcomeClass outcome, int times) {
        for (int i = 0; i < times; i++) {
            ((Ticket) accounts.acquire()).settle(outcome, null, null);
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send("GET", path);
    }

    private HttpResponse<String> post(String path) throws Exception {
        return send("POST", path);
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    /** Sends bytes as they are, and reads until the server closes. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(server.address());
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The values of a JSON text by the path of their field; elements of an array are joined. */
    private static Map<String, String> fields(String json) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()) {
                    String path = parser.getParsingContext().pathAsPointer().toString();
                    fields.merge(
                            path.substring(1).replaceAll("/\\d+$", "").replace('/', '.'),
                            parser.getText(),
                            (a, b) -> a + "," + b);
                }
            }
        }
        return fields;
    }
}
