package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.ClientsConfig;
import dev.recloser.gateway.config.ClientsConfig.Times;
import dev.recloser.gateway.config.ConnectionLimitConfig;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.LimitsConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
        start(new Times(idle, head, body, stall, OptionalLong.empty()), LimitsConfig.NONE);
    }

    private void start(Times times, LimitsConfig limits) throws IOException {
        ClientsConfig usual = ClientsConfig.USUAL;
        GatewayConfig config = new TestGateway.Settings()
                .clients(new ClientsConfig(usual.connections(), times, usual.sizes(), false, false))
                .limits(limits)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY)
                .config();
        server = new Server(config, ended::add);
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
    void aBodyThatComesAtTooLowARateIsTooSlow() throws Exception {
        start(new Times(LONG, LONG, SHORT, LONG, OptionalLong.of(10_000)), LimitsConfig.NONE);
        service.now((head, connection) -> connection.isClosed());
        try (RawClient client = new RawClient(server.address())) {
            client.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n");
            client.socket.setSoTimeout((int) SHORT.dividedBy(10).toMillis());
            Received answer = null;
            for (int i = 0; i < 900 && answer == null; i++) {
                client.send("x");
                answer = client.answerIfThereIs();
            }
            assertThat(answer).as("an answer, although no piece came late").isNotNull();
            assertThat(answer.status()).isEqualTo(408);
        }
        assertThat(cluster().counters().count(Ending.CLIENT_SLOW)).isEqualTo(1);
        assertThat(cluster().breaker().snapshot().calls()).isZero();
    }

    @Test
    void aClientThatTheGatewayDoesNotReadIsNotTooSlow() throws Exception {
        ConnectionLimitConfig one = new ConnectionLimitConfig(1, 1, LONG);
        start(
                new Times(LONG, LONG, SHORT.multipliedBy(2), LONG, OptionalLong.of(1 << 20)),
                new LimitsConfig(Optional.empty(), Optional.empty(), OptionalLong.empty(), Optional.of(one)));
        service.now((head, connection) -> {
            if (head.method().equals("GET")) {
                LockSupport.parkNanos(SHORT.multipliedBy(3).toNanos());
            }
            connection.readBody(head, false);
            connection.send(ScriptedService.answer(200, "hello"));
        });
        try (RawClient first = new RawClient(server.address());
                RawClient second = new RawClient(server.address())) {
            first.get("/x");
            TestGateway.until(() -> service.requests().size() == 1);
            second.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nh");
            assertThat(first.answer().status()).isEqualTo(200);
            TestGateway.until(() -> cluster().counters().requestBytes() == 1);
            assertThat(second.send("i").answer().status()).isEqualTo(200);
        }
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
