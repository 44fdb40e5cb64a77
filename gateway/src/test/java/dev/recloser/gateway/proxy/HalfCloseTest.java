package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.ClientsConfig;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that end their side of the connection. */
@ExtendWith(LeakCheck.class)
class HalfCloseTest {

    private static final String HELLO = ScriptedService.answer(200, "hello");
    private static final String POST = "POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n";

    private final CountDownLatch open = new CountDownLatch(1);
    private final CountDownLatch cut = new CountDownLatch(1);
    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void startService() throws IOException {
        service = ScriptedService.answering(HELLO);
    }

    @AfterEach
    void stop() throws IOException {
        open.countDown();
        gateway.close();
        service.close();
    }

    private void start(boolean halfClose) throws IOException {
        ClientsConfig usual = ClientsConfig.USUAL;
        gateway = TestGateway.of(new TestGateway.Settings()
                .clients(new ClientsConfig(usual.connections(), usual.times(), usual.sizes(), false, halfClose))
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
    }

    private void expectCut() {
        service.now((head, connection) -> {
            if (connection.isClosed()) {
                cut.countDown();
            }
        });
    }

    private void endWithinRequest(RawClient client) throws IOException {
        TestGateway.until(() -> service.requests().size() == 1);
        client.socket.shutdownOutput();
    }

    private void assertCut() throws InterruptedException {
        assertThat(cut.await(8, TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.awaitCount(Ending.CLIENT_GONE, 1)).isTrue();
    }

    @Test
    void whoEndsItsSideHasGoneUnlessThatIsAllowed() throws Exception {
        start(false);
        expectCut();
        try (RawClient client = gateway.client()) {
            endWithinRequest(client.get("/x"));
            assertCut();
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void whatWasSentInFullIsAnsweredAndTheLastAnswerSaysSo() throws Exception {
        start(true);
        service.now(ScriptedService.heldUntil(open, HELLO));
        try (RawClient client = gateway.client()) {
            client.get("/1").get("/2").socket.shutdownOutput();
            TestGateway.until(() -> service.requests().size() == 1);
            open.countDown();
            Received first = client.answer();
            assertThat(first.body()).isEqualTo("hello");
            assertThat(first.has("Connection")).isFalse();
            Received second = client.answer();
            assertThat(second.body()).isEqualTo("hello");
            assertThat(second.header("Connection")).isEqualTo("close");
            assertThat(client.readToEnd()).isEmpty();
        }
        assertThat(service.requests()).hasSize(2);
        assertThat(gateway.count(Ending.OK)).isEqualTo(2);
    }

    @Test
    void aBodyThatWasSentInFullArrives() throws Exception {
        start(true);
        service.now((head, connection) -> connection.send(ScriptedService.answer(200, connection.readBytes(10))));
        try (RawClient client = gateway.client()) {
            client.send(POST + "0123456789").socket.shutdownOutput();
            assertThat(client.answer().body()).isEqualTo("0123456789");
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void aRequestWithoutItsEndIsCut() throws Exception {
        start(true);
        expectCut();
        try (RawClient client = gateway.client()) {
            endWithinRequest(client.send(POST + "01234"));
            assertCut();
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void whatWasAnsweredEarlyIsWrittenThoughTheEndOfTheRequestNeverComes() throws Exception {
        start(true);
        gateway.cluster().breaker().isolate();
        for (int i = 0; i < 20; i++) { // now and then all of it is read at once
            try (RawClient client = gateway.client()) {
                client.send(POST + "01234").socket.shutdownOutput();
                assertThat(client.answer().status()).isEqualTo(503);
                assertThat(client.readToEnd()).isEmpty();
            }
        }
        assertThat(gateway.count(Ending.CIRCUIT_ISOLATED)).isEqualTo(20);
    }

    @Test
    void aConnectionBetweenRequestsOrInAHeadIsClosed() throws Exception {
        start(true);
        for (String begun : new String[] {"", "GET /x HT", "GET /x HTTP/1.1\r\nHost: te"}) {
            try (RawClient client = gateway.client()) {
                assertThat(client.get("/x").answer().status()).isEqualTo(200);
                client.send(begun).socket.shutdownOutput();
                assertThat(client.readToEnd()).isEmpty();
            }
        }
        assertThat(gateway.count(Ending.OK)).isEqualTo(3);
    }

    @Test
    void aTunnelEndsWithOneOfItsSides() throws Exception {
        start(true);
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
            connection.readToEnd();
        });
        try (RawClient client = gateway.client()) {
            client.send("GET /x HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(101);
            client.socket.shutdownOutput();
            assertThat(client.readToEnd()).isEmpty();
        }
        assertThat(gateway.awaitCount(Ending.UPGRADED, 1)).isTrue();
    }
}
