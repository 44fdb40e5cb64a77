package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.GatewayConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that do not send, or do not read, are not waited for without end; and it is not the service's failure. */
@ExtendWith(LeakCheck.class)
class SlowClientTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final BlockingQueue<AccessRecord> ended = new LinkedBlockingQueue<>();
    private ScriptedService service;
    private Server server;

    @BeforeEach
    void startService() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
    }

    /** Each test is about one of the times; the others are out of the way. */
    private void start(Duration idle, Duration head, Duration body, Duration stall) throws IOException {
        GatewayConfig config = new TestGateway.Settings()
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY)
                .config();
        server = new Server(config, ended::add, new ClientTimeouts(idle, head, body, stall, SHORT));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        service.close();
    }

    private Cluster cluster() {
        return server.clusters().get(TestGateway.ONLY);
    }

    @Test
    void anIdleConnectionIsClosedWithoutAWord() throws IOException {
        start(Duration.ofSeconds(2), LONG, LONG, LONG);
        try (RawClient client = new RawClient(server.address())) {
            assertThat(client.readToEnd()).isEmpty();
        }
        try (RawClient client = new RawClient(server.address())) {
            assertThat(client.get("/x").answer().body()).isEqualTo("hello");
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void aHeadThatDoesNotEndIsATimeout() throws Exception {
        start(LONG, SHORT, LONG, LONG);
        try (RawClient client = new RawClient(server.address())) {
            client.send("GET /x HTTP/1.1\r\nHost: te");
            Received answer = client.answer();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.body()).contains("\"reason\":\"client-slow\"");
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(server.unrouted().count(Ending.CLIENT_SLOW)).isEqualTo(1);
        AccessRecord line = ended.poll(8, TimeUnit.SECONDS);
        assertThat(line).isNotNull();
        assertThat(line.durationNanos()).isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    @Test
    void aBodyThatDoesNotComeIsATimeoutAndNobodysFailure() throws Exception {
        start(LONG, LONG, SHORT, LONG);
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        service.now((head, connection) -> closed.complete(connection.isClosed()));
        try (RawClient client = new RawClient(server.address())) {
            client.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\nhello");
            Received answer = client.answer();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.body()).contains("\"reason\":\"client-slow\"", "\"cluster\":\"service\"");
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(closed.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(cluster().breaker().snapshot().calls()).isZero();
    }

    @Test
    void anAnswerThatIsNotReadIsBrokenOff() throws Exception {
        start(LONG, LONG, LONG, SHORT);
        CompletableFuture<Boolean> broken = new CompletableFuture<>();
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
            try {
                while (true) {
                    connection.send(new byte[1 << 20]);
                }
            } catch (IOException e) {
                broken.complete(true);
            }
        });
        try (RawClient client = new RawClient(server.address())) {
            client.get("/x");
            assertThat(broken.get(8, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(cluster().counters().count(Ending.CLIENT_SLOW)).isEqualTo(1);
        assertThat(cluster().breaker().snapshot().calls()).isZero();
    }
}
