package dev.recloser.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.OutcomeClass;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.AdminConfig;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.gateway.metrics.Exposition;
import dev.recloser.gateway.proxy.DestinationSnapshot;
import dev.recloser.gateway.proxy.LatencySnapshot;
import dev.recloser.spi.Ticket;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin server, over real sockets. */
class AdminServerTest {

    private static final AdminConfig ANY_PORT = new AdminConfig(new HostPort("127.0.0.1", 0));

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicInteger removals = new AtomicInteger();
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
        server = AdminServer.start(
                ANY_PORT,
                circuits,
                draining::get,
                accept -> new Exposition("text/plain", "accept: " + accept),
                removals::incrementAndGet);
        port = server.address().getPort();
    }

    private static Circuit circuit(ClusterConfig cluster) {
        return new Circuit(
                cluster,
                CircuitBreaker.of(cluster.name(), cluster.circuitBreaker(), TimeSource.system()),
                () -> List.of(
                        new DestinationSnapshot(false, "127.0.0.1:9101", 3, DestinationSnapshot.State.SLOW_START, 17)),
                () -> Map.of("ok", 7L),
                () -> 1,
                () -> 2,
                () -> LatencySnapshot.EMPTY);
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
    void anOpenCircuitDoesNotMakeTheGatewayUnhealthy() throws Exception {
        settle(OutcomeClass.FAILURE, 5);
        assertThat(accounts.state()).isEqualTo(CircuitState.OPEN);
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        post("/circuits/transfers/isolate");
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void metricsComeInTheFormatThatTheClientTakes() throws Exception {
        assertThat(
                        raw(
                                "GET /metrics HTTP/1.1\r\nHost: a\r\nAccept: a/b\r\nAccept: c/d;q=0.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\naccept: a/b,c/d;q=0.1");
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
        assertThat(JsonFields.of(response.body()))
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
                .containsEntry("destinations.0.url", "http://127.0.0.1:9101")
                .containsEntry("destinations.0.state", "slow-start")
                .containsEntry("destinations.0.weight", "3")
                .containsEntry("destinations.0.underway", "17")
                .containsEntry("settings.failureRatio", "0.5")
                .containsEntry("settings.minimumThroughput", "5")
                .containsEntry("settings.samplingDuration", "10")
                .containsEntry("settings.breakDuration", "30")
                .containsEntry("settings.timeout", "1.5")
                .containsKeys("since", "timeInState");
    }

    @Test
    void beginningOfAStateIsTheSameAtEachLook() throws Exception {
        String first = JsonFields.of(get("/circuits/accounts").body()).get("since");
        for (int i = 0; i < 200; i++) {
            assertThat(JsonFields.of(get("/circuits/accounts").body())).containsEntry("since", first);
        }
        accounts.isolate();
        assertThat(JsonFields.of(get("/circuits/accounts").body()).get("since")).isGreaterThanOrEqualTo(first);
    }

    @Test
    void openCircuitIsShownWithTheTimeToItsNextProbe() throws Exception {
        settle(OutcomeClass.FAILURE, 5);
        accounts.acquire();
        Map<String, String> fields = JsonFields.of(get("/circuits/accounts").body());
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
        assertThat(JsonFields.of(isolated.body())).containsEntry("state", "ISOLATED");
        assertThat(accounts.state()).isEqualTo(CircuitState.ISOLATED);
        assertThat(JsonFields.of(post("/circuits/accounts/close").body())).containsEntry("state", "CLOSED");
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
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void pageOfItsOwnMayChangeACircuit(String name) throws Exception {
        String own = name + ":" + port;
        String answer = raw("POST /circuits/accounts/isolate HTTP/1.1\r\nHost: " + own + "\r\nOrigin: http://" + own
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:%d", "http://localhost:%d", "http://[::1]:%d"})
    void pageFromTheSamePortOfAnotherMachineChangesNothing(String origin) throws Exception {
        String answer = raw("POST /circuits/accounts/isolate HTTP/1.1\r\nHost: 10.1.2.3:" + port + "\r\nOrigin: "
                + origin.formatted(port) + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403");
        assertThat(accounts.state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @CsvSource({
        "http://10.1.2.3:99, 10.1.2.3:99, 200",
        "http://[fd00::1]:99, [fd00::1]:99, 200",
        "http://localhost:99, localhost:99, 200",
        "http://10.1.2.3:99, 10.1.2.4:99, 403",
        "https://10.1.2.3:99, 10.1.2.3:99, 403",
        "http://10.1.2.3.evil.example:99, 10.1.2.3.evil.example:99, 403",
        "http://evil.example, evil.example, 403",
        "http://localhost:98, localhost:99, 403",
        "http://localhost.evil.example:99, localhost.evil.example:99, 403",
        "null, 127.0.0.1:99, 403",
    })
    void pageReachedByAnAddressMayChangeACircuitAndOneReachedByANameMayNot(String origin, String host, int status)
            throws Exception {
        String answer = raw("POST /circuits/accounts/isolate HTTP/1.1\r\nHost: " + host + "\r\nOrigin: " + origin
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 " + status);
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
        assertThat(JsonFields.of(response.body()))
                .containsEntry("status", "404")
                .containsEntry("detail", detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST   | /healthz                   | GET, HEAD
            POST   | /metrics                   | GET, HEAD
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
        AdminConfig taken = new AdminConfig(new HostPort("127.0.0.1", port));
        assertThatThrownBy(() -> AdminServer.start(
                        taken,
                        List.of(),
                        () -> false,
                        accept -> new Exposition("text/plain", ""),
                        removals::incrementAndGet))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on 127.0.0.1:" + port)
                .hasMessageContaining("in use");
        assertThat(removals).as("what counts for its metrics is removed").hasValue(1);
    }

    @Test
    void whatCountsForItsMetricsIsRemovedWhenItIsClosed() {
        assertThat(removals).hasValue(0);
        server.close();
        server.close();
        assertThat(removals).hasValue(1);
    }

    @Test
    void closingEndsConnectionsThatWaitForTheNextRequest() throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(server.address());
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /circuits HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            server.close();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("TTP/1.1 200");
        }
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

    @Test
    void whoReadsNoAnswersGetsNoMoreOfThemThanFitOnTheWay() throws Exception {
        int requests = 1_000;
        AtomicInteger answered = new AtomicInteger();
        String large = "x".repeat(100_000);
        try (AdminServer big = AdminServer.start(
                        ANY_PORT,
                        List.of(),
                        draining::get,
                        accept -> {
                            answered.incrementAndGet();
                            return new Exposition("text/plain", large);
                        },
                        () -> {});
                Socket reader = new Socket()) {
            reader.setReceiveBufferSize(16_384);
            reader.setSoTimeout(10_000);
            reader.connect(big.address());
            // After a long one, the server would read as much as comes, and all of the others at once.
            String first = "POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + "x".repeat(60_000);
            reader.getOutputStream().write(first.getBytes(StandardCharsets.US_ASCII));
            assertThat(reader.getInputStream().read()).isEqualTo('H');
            String one = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
            String last = "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            reader.getOutputStream().write((one.repeat(requests - 1) + last).getBytes(StandardCharsets.US_ASCII));
            long end = System.nanoTime() + 10_000_000_000L;
            while (answered.get() == 0 && System.nanoTime() < end) {
                Thread.sleep(2);
            }
            HttpRequest behind = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + big.address().getPort() + "/healthz"))
                    .build();
            for (int i = 0; i < 20; i++) { // the same thread answers these, so it has seen to the others before
                assertThat(client.send(behind, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
            }
            assertThat(answered.get()).isBetween(1, requests / 2);
            long bytes = reader.getInputStream().transferTo(OutputStream.nullOutputStream());
            assertThat(bytes).isGreaterThan((long) requests * large.length());
            assertThat(answered.get()).isEqualTo(requests);
        }
    }
}
