package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitOpenException;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.time.TimeSource;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** nginx that is busy, limits the rate, is slow, or has a service behind it that breaks off or does not answer. */
class NginxFaultsTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration BREAK = Duration.ofSeconds(5);
    private static final int LARGE = 1 << 20;

    /** A location that has a fault answers as it should as soon as there is a file called healed. */
    private static final String SERVERS = """
            limit_req_zone $binary_remote_addr zone=rate:1m rate=4r/s;
            server {
                listen 127.0.0.1:${port};
                location = / { return 200 "fine"; }
                location = /busy {
                    add_header Retry-After 1 always;
                    if (-f ${folder}/healed) { return 200 "fine"; }
                    return 503 "busy";
                }
                location = /busy-for-an-hour {
                    add_header Retry-After 3600 always;
                    if (-f ${folder}/healed) { return 200 "fine"; }
                    return 503 "busy for an hour";
                }
                location = /too-many {
                    if (-f ${folder}/healed) { return 200 "fine"; }
                    return 429 "too many";
                }
                location = /limited {
                    limit_req zone=rate;
                    limit_req_status 429;
                    alias ${folder}/fine;
                }
                location = /large { alias ${folder}/large; limit_rate 20k; }
                location = /breaks-off { proxy_pass http://127.0.0.1:${service}; }
                location = /unreachable { proxy_pass http://127.0.0.1:${nobody}; }
                location = /silent { proxy_pass http://127.0.0.1:${service}; proxy_read_timeout 100ms; }
            }
            """;

    @TempDir
    Path folder;

    private ScriptedServer service;
    private ServerProcess nginx;

    @BeforeEach
    void start() throws IOException {
        service = server();
        Files.writeString(folder.resolve("fine"), "fine");
        Files.writeString(folder.resolve("large"), "x".repeat(LARGE));
        nginx = toClose(ServerProcess.nginx(
                folder,
                SERVERS.replace("${service}", Integer.toString(service.port()))
                        .replace(
                                "${nobody}",
                                Integer.toString(toClose(new RefusingPort()).port()))));
    }

    private void heal() throws IOException {
        Files.writeString(folder.resolve("healed"), "");
    }

    private static void assertCircuit(RecloserHttpClient client, HttpRequest request, long calls, long failures) {
        assertThat(circuit(client, request).calls())
                .as("calls that the breaker counts")
                .isEqualTo(calls);
        assertThat(circuit(client, request).failures())
                .as("failures that the breaker counts")
                .isEqualTo(failures);
    }

    /** A healthy request ends what nginx has noted before; it works. */
    private void assertWellAfter(SendMode mode, RecloserHttpClient client, List<String> requests) {
        HttpResponse<String> response = mode.send(client, get(nginx.uri("/")), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("fine");
        assertThat(nginx.awaitRequests(requests.size() + 1))
                .extracting(line -> line.substring(0, line.indexOf(" HTTP/")))
                .startsWith(requests.toArray(String[]::new))
                .hasSize(requests.size() + 1)
                .endsWith("GET / 200");
    }

    private static List<String> times(int count, String request) {
        return Collections.nCopies(count, request);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void eachRetryWaitsForAsLongAsTheServerAsks(SendMode mode) {
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(nginx.uri("/busy"));
        long start = TimeSource.system().nanoTime();
        HttpResponse<String> response = mode.send(client, request, BodyHandlers.ofString());
        assertThat(Duration.ofNanos(TimeSource.system().nanoTime() - start)).isGreaterThan(Duration.ofSeconds(2));
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("busy");
        assertCircuit(client, request, 3, 3);
        assertWellAfter(mode, client, times(3, "GET /busy 503"));
        assertCircuit(client, request, 4, 3);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void answerThatAsksForMoreThanTheDeadlineLeavesIsReturnedAtOnce(SendMode mode) {
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(nginx.uri("/busy-for-an-hour"));
        HttpResponse<String> response = mode.send(client, request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("busy for an hour");
        assertCircuit(client, request, 1, 1);
        assertWellAfter(mode, client, times(1, "GET /busy-for-an-hour 503"));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void tooManyRequestsIsAFailureThatIsTriedAgain(SendMode mode) {
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(nginx.uri("/too-many"));
        HttpResponse<String> response = mode.send(client, request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.body()).isEqualTo("too many");
        assertCircuit(client, request, 3, 3);
        assertWellAfter(mode, client, times(3, "GET /too-many 429"));
    }

    /** nginx lets one request through each 250 ms. */
    @ParameterizedTest
    @MethodSource(MODES)
    void retriesComeThroughWhereTheServerLimitsTheRate(SendMode mode) {
        RecloserHttpClient client = quick().pipeline(
                        standard -> standard.retry(retry -> retry.maxRetries(20).constantDelay(Duration.ofMillis(100))))
                .build();
        HttpRequest request = get(nginx.uri("/limited"));
        for (int i = 0; i < 3; i++) {
            assertThat(mode.send(client, request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
        long failures = circuit(client, request).failures();
        assertThat(failures).as("answers with 429").isPositive();
        assertCircuit(client, request, 3 + failures, failures);
        assertThat(nginx.awaitRequests((int) (3 + failures)))
                .hasSize((int) (3 + failures))
                .filteredOn(line -> line.startsWith("GET /limited 200"))
                .hasSize(3);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void circuitOpensAndAProbeThatReachesTheServerClosesIt(SendMode mode) throws IOException {
        VirtualTime time = VirtualTime.create();
        RecloserHttpClient client = quick().time(time)
                .pipeline(standard -> standard.retry(retry -> retry.maxRetries(0))
                        .circuitBreaker(cb -> cb.openAfter(3, 3).breakDuration(BREAK)))
                .build();
        HttpRequest request = get(nginx.uri("/busy-for-an-hour"));
        for (int i = 0; i < 3; i++) {
            assertThat(mode.send(client, request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(503);
        }
        assertThat(mode.start(client, request, BodyHandlers.ofString()).error())
                .isInstanceOf(RequestRejectedException.class)
                .hasCauseInstanceOf(CircuitOpenException.class);
        time.advance(BREAK);
        assertThat(mode.send(client, request, BodyHandlers.ofString()).statusCode())
                .as("the probe, which fails")
                .isEqualTo(503);
        assertThat(circuit(client, request).state()).isEqualTo(CircuitState.OPEN);
        heal();
        time.advance(BREAK);
        assertThat(mode.send(client, request, BodyHandlers.ofString()).statusCode())
                .as("the probe, which succeeds")
                .isEqualTo(200);
        assertThat(circuit(client, request).state()).isEqualTo(CircuitState.CLOSED);
        assertThat(circuit(client, request).rejected()).isEqualTo(1);
        assertThat(nginx.awaitRequests(5)).hasSize(5);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void slowBodyIsWithinTheAttemptTimeoutWhereItIsCollected(SendMode mode) {
        RecloserHttpClient client =
                quick().pipeline(standard -> standard.attemptTimeout(SHORT)).build();
        HttpRequest request = get(nginx.uri("/large"));
        assertThat(mode.start(client, request, BodyHandlers.ofString()).error())
                .isInstanceOf(HttpTimeoutException.class);
        assertCircuit(client, request, 3, 3);
        assertThat(nginx.awaitRequests(3)).hasSize(3);
        assertWellAfter(mode, client, times(3, "GET /large 200"));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void slowBodyThatIsStreamedIsASuccessWithItsHeaders(SendMode mode) throws IOException {
        RecloserHttpClient client =
                quick().pipeline(standard -> standard.attemptTimeout(SHORT)).build();
        HttpRequest request = get(nginx.uri("/large"));
        HttpResponse<InputStream> response = mode.send(client, request, BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        try (InputStream body = response.body()) {
            assertThat(body.readNBytes(30_000))
                    .as("more than comes within one timeout")
                    .hasSize(30_000);
        }
        assertCircuit(client, request, 1, 0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void slowBodyThatIsStreamedIsCutWhereTheTimeoutsCoverIt(SendMode mode) throws IOException {
        RecloserHttpClient client = quick().timeoutsCoverBody()
                .pipeline(standard -> standard.attemptTimeout(SHORT))
                .build();
        HttpRequest request = get(nginx.uri("/large"));
        HttpResponse<InputStream> response = mode.send(client, request, BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            assertThatThrownBy(body::readAllBytes)
                    .isInstanceOf(IOException.class)
                    .satisfiesAnyOf(
                            error -> assertThat(error).isInstanceOf(HttpTimeoutException.class),
                            error -> assertThat(error).hasCauseInstanceOf(HttpTimeoutException.class));
        }
        assertCircuit(client, request, 1, 0);
        assertWellAfter(mode, client, times(1, "GET /large 200"));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void bodyThatBreaksOffBehindTheServerIsAFailureOfEachAttempt(SendMode mode) {
        service.then(ScriptedServer.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthe first bytes"));
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(nginx.uri("/breaks-off"));
        assertThat(mode.start(client, request, BodyHandlers.ofString()).error()).isInstanceOf(IOException.class);
        assertCircuit(client, request, 3, 3);
        assertThat(service.requests()).hasSize(3);
        assertWellAfter(mode, client, times(3, "GET /breaks-off 200"));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void badGatewayIsAFailureThatIsTriedAgain(SendMode mode) {
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(nginx.uri("/unreachable"));
        assertThat(mode.send(client, request, BodyHandlers.ofString()).statusCode())
                .isEqualTo(502);
        assertCircuit(client, request, 3, 3);
        assertWellAfter(mode, client, times(3, "GET /unreachable 502"));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void gatewayTimeoutIsAFailureThatIsTriedAgain(SendMode mode) {
        service.then(ScriptedServer.silence(), ScriptedServer.status(200, "fine"));
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(nginx.uri("/silent"));
        assertThat(mode.send(client, request, BodyHandlers.ofString()).body()).isEqualTo("fine");
        assertCircuit(client, request, 2, 1);
        assertWellAfter(mode, client, List.of("GET /silent 504", "GET /silent 200"));
    }
}
