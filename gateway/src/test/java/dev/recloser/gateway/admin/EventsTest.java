package dev.recloser.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.config.AdminConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.gateway.metrics.Exposition;
import dev.recloser.gateway.proxy.LatencySnapshot;
import dev.recloser.time.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stream of events over real sockets, in real time. */
@Timeout(60)
class EventsTest {

    private static final int BOUND_MILLIS = 8000;

    private CircuitBreaker accounts;
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        GatewayConfig config = ConfigReader.parse("c.yaml", """
                listen: 127.0.0.1:0
                routes: [ { match: { path: /** }, cluster: accounts } ]
                clusters: { accounts: { destinations: [ "http://127.0.0.1:9101" ] } }
                """).config().orElseThrow();
        var cluster = config.clusters().get("accounts");
        accounts = CircuitBreaker.of("accounts", cluster.circuitBreaker(), TimeSource.system());
        Circuit circuit =
                new Circuit(cluster, accounts, List::of, Map::of, () -> 0, () -> 0, () -> LatencySnapshot.EMPTY);
        server = AdminServer.start(
                new AdminConfig(new HostPort("127.0.0.1", 0)),
                List.of(circuit),
                () -> false,
                accept -> new Exposition("text/plain", ""),
                () -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A connection on which events come, chunk by chunk. */
    private final class Stream implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Stream(String request) throws IOException {
            socket = new Socket();
            socket.setSoTimeout(BOUND_MILLIS);
            socket.connect(server.address());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        Stream() throws IOException {
            this("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
        }

        String head() throws IOException {
            return linesUpTo("");
        }

        /** The next event of this kind; those before are passed over. */
        String next(String kind) throws IOException {
            String event = "";
            while (!event.contains("event: " + kind + "\n")) {
                event = linesUpTo("");
            }
            return event;
        }

        private String linesUpTo(String end) throws IOException {
            StringBuilder lines = new StringBuilder();
            for (String line = in.readLine(); !end.equals(line); line = in.readLine()) {
                if (line == null) {
                    throw new IOException("the stream has ended: " + lines);
                }
                lines.append(line).append('\n');
            }
            return lines.toString();
        }

        String rest() throws IOException {
            StringBuilder rest = new StringBuilder();
            for (int next = in.read(); next >= 0; next = in.read()) {
                rest.append((char) next);
            }
            return rest.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void streamIsServedAsSuchAndNotKeptByAnybody() throws IOException {
        try (Stream stream = new Stream()) {
            assertThat(stream.head())
                    .startsWith("HTTP/1.1 200 OK")
                    .containsIgnoringCase("content-type: text/event-stream\n")
                    .containsIgnoringCase("cache-control: no-store\n")
                    .containsIgnoringCase("transfer-encoding: chunked\n")
                    .doesNotContainIgnoringCase("content-length");
        }
    }

    @Test
    void stateComesFirstAndThenATickEachSecondAlsoIfNothingHappens() throws IOException {
        try (Stream stream = new Stream()) {
            stream.head();
            assertThat(stream.linesUpTo("")).contains("event: state\n").contains("retry: 1000\n");
            assertThat(stream.next("tick")).contains("\"draining\":false");
            assertThat(stream.next("tick")).contains("data: {");
        }
    }

    @Test
    void everyPageIsToldEveryTransitionOnceInOrder() throws IOException {
        try (Stream first = new Stream();
                Stream second = new Stream()) {
            first.next("state");
            second.next("state");
            for (int i = 0; i < 20; i++) {
                accounts.isolate();
                accounts.close();
            }
            for (Stream stream : List.of(first, second)) {
                for (int number = 1; number <= 40; number++) {
                    assertThat(stream.next("transition"))
                            .contains("{\"number\":" + number + ",")
                            .containsPattern("id: \\w+-" + number + "\n")
                            .contains(number % 2 == 1 ? "\"to\":\"ISOLATED\"" : "\"to\":\"CLOSED\"");
                }
            }
        }
    }

    @Test
    void clientThatKnowsNoChunksGetsNone() throws IOException {
        try (Stream stream = new Stream("GET /events HTTP/1.0\r\n\r\n")) {
            assertThat(stream.head()).doesNotContainIgnoringCase("transfer-encoding");
            assertThat(stream.linesUpTo("")).startsWith("retry: 1000\nid: ");
        }
    }

    @Test
    void headHasNoEvents() throws IOException {
        try (Stream stream = new Stream("HEAD /events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")) {
            assertThat(stream.head()).contains("text/event-stream");
            assertThat(stream.rest()).isEmpty();
        }
    }

    @Test
    void numberOfStreamsIsBoundedAndAPlaceIsFreeAgainWhenOneIsClosed() throws Exception {
        List<Stream> streams = new ArrayList<>();
        try {
            for (int i = 0; i < EventStreams.MOST; i++) {
                Stream stream = new Stream();
                streams.add(stream);
                stream.next("state");
            }
            assertThat(statusOfOneMore()).startsWith("HTTP/1.1 503").contains("application/problem+json");
            streams.remove(0).close();
            long end = System.nanoTime() + BOUND_MILLIS * 1_000_000L;
            while (statusOfOneMore().startsWith("HTTP/1.1 503") && System.nanoTime() < end) {
                Thread.sleep(20);
            }
            assertThat(statusOfOneMore()).startsWith("HTTP/1.1 200");
        } finally {
            for (Stream stream : streams) {
                stream.close();
            }
        }
    }

    private String statusOfOneMore() throws IOException {
        try (Stream stream = new Stream()) {
            return stream.head();
        }
    }

    @Test
    void streamEndsProperlyWhenTheServerIsClosed() throws IOException {
        try (Stream stream = new Stream()) {
            stream.next("state");
            server.close();
            assertThat(stream.rest()).endsWith("0\r\n\r\n");
        }
    }

    @Test
    void nothingElseIsAnsweredOnTheConnectionOfAStream() throws IOException {
        String another = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
        try (Stream stream = new Stream("GET /events HTTP/1.1\r\nHost: a\r\n\r\n" + another)) {
            stream.next("tick");
            server.close();
            assertThat(stream.rest()).doesNotContain("HTTP/1.1").doesNotContain("alive");
        }
    }
}
