package dev.recloser.gateway.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.sun.net.httpserver.HttpServer;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.config.AccessLogConfig;
import dev.recloser.gateway.config.ConfigReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The access log of a gateway that serves, in a file. */
@Timeout(60)
class GatewayAccessLogTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @TempDir
    Path folder;

    private Path file;
    private HttpServer service;
    private Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        file = folder.resolve("access.log");
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        service.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("hello".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        service.start();
        gateway = Gateway.start(ConfigReader.parse(
                        "c.yaml", """
                listen: 127.0.0.1:0
                access-log: { file: "%s" }
                routes: [ { match: { path: /a/** }, cluster: accounts } ]
                clusters:
                  accounts: { destinations: [ "http://127.0.0.1:%d" ] }
                """.formatted(file, service.getAddress().getPort()))
                .config()
                .orElseThrow());
    }

    @AfterEach
    void stop() {
        gateway.close();
        service.stop(0);
    }

    /** Sends a request, which asks for the connection to be closed, and reads all that comes. */
    private String send(String request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(gateway.address());
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private String get(String target, String... headers) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: test:80\r\nConnection: close\r\n" + String.join("", headers)
                + "\r\n");
    }

    private List<Map<String, String>> lines() throws IOException {
        List<Map<String, String>> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
            Map<String, String> fields = new LinkedHashMap<>();
            try (JsonParser parser = new JsonFactory().createParser(line)) {
                for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                    if (token.isScalarValue()) {
                        fields.put(parser.currentName(), parser.getText());
                    }
                }
            }
            lines.add(fields);
        }
        return lines;
    }

    private List<Map<String, String>> awaitLines(int count) throws Exception {
        long end = System.nanoTime() + 10_000_000_000L;
        while (lines().size() < count && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        assertThat(lines()).hasSize(count);
        return lines();
    }

    @Test
    void aRequestIsALineWithoutItsQuery() throws Exception {
        Instant before = Instant.now();
        String answer = send("POST /a/b?token=secret HTTP/1.1\r\nHost: test:80\r\nConnection: close\r\n"
                + "Traceparent: 00-" + TRACE + "-00f067aa0ba902b7-01\r\nContent-Length: 3\r\n\r\nabc");
        assertThat(answer).startsWith("HTTP/1.1 200");
        Map<String, String> line = awaitLines(1).get(0);
        assertThat(line)
                .containsEntry("client", "127.0.0.1")
                .containsEntry("method", "POST")
                .containsEntry("host", "test:80")
                .containsEntry("path", "/a/b")
                .containsEntry("status", "200")
                .containsEntry("reason", "ok")
                .containsEntry("cluster", "accounts")
                .containsEntry(
                        "destination", "127.0.0.1:" + service.getAddress().getPort())
                .containsEntry("request_bytes", "3")
                .containsEntry("response_bytes", "5")
                .containsEntry("trace_id", TRACE);
        assertThat(Instant.parse(line.get("time"))).isBetween(before.minusSeconds(1), Instant.now());
        double duration = Double.parseDouble(line.get("duration"));
        double parts = Double.parseDouble(line.get("service")) + Double.parseDouble(line.get("overhead"));
        assertThat(parts).isPositive().isLessThanOrEqualTo(duration + 0.000_002);
        assertThat(Files.readString(file)).doesNotContain("secret");
    }

    @Test
    void whatTheGatewayAnswersItselfIsALineToo() throws Exception {
        assertThat(get("/elsewhere")).startsWith("HTTP/1.1 404");
        assertThat(send("TRACE /a/1 HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405");
        assertThat(send("nonsense\r\n\r\n")).startsWith("HTTP/1.1 400");
        gateway.clusters().get("accounts").breaker().isolate();
        assertThat(get("/a/1")).startsWith("HTTP/1.1 503");
        Map<String, Map<String, String>> lines = awaitLines(4).stream()
                .collect(Collectors.toMap(line -> line.get("reason"), line -> line)); // each loop logs by itself
        assertThat(lines).containsOnlyKeys("no-route", "method", "bad-request", "circuit-isolated");
        assertThat(lines.get("no-route"))
                .containsEntry("path", "/elsewhere")
                .doesNotContainKeys("cluster", "service", "overhead");
        assertThat(lines.get("bad-request"))
                .containsEntry("status", "400")
                .doesNotContainKeys("method", "path", "host");
        assertThat(lines.get("circuit-isolated"))
                .containsEntry("cluster", "accounts")
                .doesNotContainKeys("destination", "service");
    }

    @Test
    void hostileBytesStayWithinTheirField() throws Exception {
        get("/a/\u00e9\u009b31m\"}", "Traceparent: \"}\u001b\r\n");
        get("/a/" + "x".repeat(5_000));
        List<Map<String, String>> lines = awaitLines(2);
        assertThat(Files.readString(file, StandardCharsets.US_ASCII)).matches("([ -~]+\n)+");
        assertThat(lines).extracting(line -> line.get("path")).contains("/a/" + "x".repeat(1021));
    }

    @Test
    void aFileThatIsTruncatedGoesOnFromItsStart() throws Exception {
        get("/a/1");
        awaitLines(1);
        Files.newByteChannel(file, java.nio.file.StandardOpenOption.WRITE)
                .truncate(0)
                .close();
        get("/a/2");
        assertThat(awaitLines(1).get(0)).containsEntry("path", "/a/2");
    }

    @Test
    void whatIsThereAlreadyStays() throws Exception {
        get("/a/1");
        gateway.close();
        assertThat(lines()).hasSize(1);
        try (AccessLog again = AccessLog.open(new AccessLogConfig(Optional.of(file)))) {
            assertThat(again.dropped()).isZero();
        }
        assertThat(lines()).hasSize(1);
    }

    @Test
    void whatIsCutOffWhenTheGatewayClosesIsALineToo() throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(gateway.address());
            socket.getOutputStream()
                    .write("POST /a/1 HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\n\r\nabc"
                            .getBytes(StandardCharsets.US_ASCII));
            long end = System.nanoTime() + 10_000_000_000L;
            while (gateway.clusters().get("accounts").counters().requestBytes() < 3 && System.nanoTime() < end) {
                Thread.sleep(2);
            }
            gateway.close();
        }
        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0))
                .containsEntry("path", "/a/1")
                .containsEntry("request_bytes", "3")
                .containsEntry("reason", "gateway-stopped")
                .doesNotContainKey("status");
        assertThat(gateway.clusters().get("accounts").breaker().snapshot().calls())
                .isZero();
    }

    @Test
    void aClientThatLeavesBeforeItIsAnsweredHasAStatusOfItsOwn() throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(gateway.address());
            socket.getOutputStream()
                    .write("POST /a/1 HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\n\r\nabc"
                            .getBytes(StandardCharsets.US_ASCII));
        }
        Map<String, String> line = awaitLines(1).get(0);
        assertThat(line).containsEntry("reason", "client-gone").containsEntry("status", "499");
    }

    @Test
    void aFileThatCannotBeOpenedIsSaid() {
        Path missing = folder.resolve("missing").resolve("access.log");
        assertThatThrownBy(() -> AccessLog.open(new AccessLogConfig(Optional.of(missing))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot write the access log to " + missing);
    }
}
