package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that go on in another protocol. */
@ExtendWith(LeakCheck.class)
class UpgradeTest {

    private static final String ASKING = message("""
            GET /chat HTTP/1.1
            Host: test
            Connection: keep-alive, Upgrade
            Upgrade: websocket
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """);

    private static final String AGREEING = message("""
            HTTP/1.1 101 Switching Protocols
            Upgrade: WebSocket
            Connection: Upgrade
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=

            """);

    private final CountDownLatch open = new CountDownLatch(1);
    private ScriptedService service;
    private TestGateway gateway;

    private static String message(String head) {
        return head.replace("\n", "\r\n");
    }

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
        gateway = TestGateway.before(service);
    }

    @AfterEach
    void stop() throws IOException {
        open.countDown();
        gateway.close();
        service.close();
    }

    /** Agrees, with the first bytes of the new protocol in the same packet, and then says everything back in capitals. */
    private void echo() {
        service.now((head, connection) -> {
            connection.send(AGREEING + "hi ");
            while (true) {
                connection.send(connection.readBytes(1).toUpperCase(Locale.ROOT));
            }
        });
    }

    @Test
    void bytesGoBothWaysOnceBothHaveAgreed() throws Exception {
        echo();
        try (RawClient client = gateway.client()) {
            client.send(ASKING + "early ");
            Received agreement = client.head();
            assertThat(agreement.status()).isEqualTo(101);
            assertThat(agreement.header("Upgrade")).isEqualTo("WebSocket");
            assertThat(agreement.header("Connection")).isEqualToIgnoringCase("upgrade");
            assertThat(agreement.header("Sec-WebSocket-Accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            assertThat(agreement.has("Transfer-Encoding")).isFalse();
            assertThat(client.readBytes(9)).isEqualTo("hi EARLY ");
            client.send("late");
            assertThat(client.readBytes(4)).isEqualTo("LATE");
            assertThat(gateway.cluster().breaker().snapshot().calls()).isEqualTo(1);
            assertThat(gateway.cluster().counters().inFlight()).isEqualTo(1);
        }
        assertThat(gateway.awaitCount(Ending.UPGRADED, 1)).isTrue();
        Received asked = service.requests().get(0);
        assertThat(asked.header("Upgrade")).isEqualTo("websocket");
        assertThat(asked.all("Connection")).containsExactly("upgrade");
        assertThat(gateway.cluster().breaker().snapshot().failures()).isZero();
        assertThat(gateway.cluster().counters().requestBytes()).isEqualTo(10);
        TestGateway.until(() -> gateway.cluster().counters().upstreamInUse() == 0);
    }

    @Test
    void noClockRunsInATunnel() throws Exception {
        gateway.close();
        gateway = TestGateway.of(new TestGateway.Settings()
                .timeout(300)
                .idleTimeout(300)
                .totalTimeout(300)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
        echo();
        try (RawClient client = gateway.client()) {
            client.send(ASKING);
            client.head();
            client.readBytes(3);
            assertThat(client.isClosedWithin(Duration.ofMillis(500))).isFalse();
            client.send("x");
            assertThat(client.readBytes(1)).isEqualTo("X");
        }
    }

    @Test
    void whenTheServiceLeavesTheClientStillGetsAllAndNobodyHasFailed() throws Exception {
        service.now((head, connection) -> {
            connection.send(AGREEING);
            for (int i = 0; i < 100; i++) {
                connection.send("x".repeat(10_000));
            }
            connection.close();
        });
        try (RawClient client = gateway.client()) {
            client.send(ASKING);
            client.head();
            assertThat(client.readToEnd()).hasSize(1_000_000);
        }
        assertThat(gateway.awaitCount(Ending.UPGRADED, 1)).isTrue();
        assertThat(gateway.cluster().breaker().snapshot().failures()).isZero();
    }

    @Test
    void whenTheClientLeavesTheServiceGetsAllAndItsConnectionIsClosed() throws Exception {
        AtomicReference<String> got = new AtomicReference<>();
        service.now((head, connection) -> {
            connection.send(AGREEING);
            got.set(connection.readToEnd());
            open.countDown();
        });
        try (RawClient client = gateway.client()) {
            client.send(ASKING);
            client.head();
            client.send("y".repeat(300_000));
        }
        open.await();
        assertThat(got.get()).hasSize(300_000);
    }

    @Test
    void aServiceThatDeclinesAnswersAsAlways() throws Exception {
        try (RawClient client = gateway.client()) {
            assertThat(client.send(ASKING).answer().body()).isEqualTo("hello");
            assertThat(client.get("/next").answer().body()).isEqualTo("hello");
        }
        assertThat(gateway.count(Ending.OK)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2c", "H2C", "HTTP/2.0", "websocket, h2c", "a b", ""})
    void whatCannotBeTunnelledIsAnOrdinaryRequest(String protocol) throws Exception {
        assertThat(gateway.send("GET /x HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: " + protocol
                                + "\r\n\r\n")
                        .status())
                .isEqualTo(200);
        assertThat(service.requests().get(0).has("Upgrade")).isFalse();
    }

    @Test
    void anotherProtocolThanTheOneAskedForIsABadResponse() throws Exception {
        service.now(ScriptedService.always("HTTP/1.1 101 Switching\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n"));
        assertThat(gateway.send(ASKING).status()).isEqualTo(502);
        assertThat(gateway.count(Ending.BAD_RESPONSE)).isEqualTo(1);
    }

    @Test
    void aSlowClientHoldsTheServiceBackAndMemoryStaysFlat() throws Exception {
        AtomicLong sent = new AtomicLong();
        service.now((head, connection) -> {
            connection.send(AGREEING);
            byte[] piece = new byte[64 * 1024];
            for (int i = 0; i < 1600; i++) { // 100 MiB
                connection.send(piece);
                sent.addAndGet(piece.length);
            }
        });
        try (RawClient client = gateway.client()) {
            client.send(ASKING);
            client.head();
            long before = -1;
            while (sent.get() != before) {
                before = sent.get();
                LockSupport.parkNanos(200_000_000);
            }
            assertThat(before).isLessThan(40L * 1024 * 1024);
        }
    }
}
