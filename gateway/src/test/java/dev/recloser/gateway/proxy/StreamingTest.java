package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bodies in both directions, as they come, with neither side waiting for more than it has to. */
@ExtendWith(LeakCheck.class)
class StreamingTest {

    private static final String UPLOAD = "POST /x HTTP/1.1\r\nHost: test\r\n";
    private static final int MIB = 1024 * 1024;

    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
        gateway = TestGateway.of(new TestGateway.Settings()
                .timeout(10_000)
                .idleTimeout(10_000)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
    }

    /** For tests of how long an answer may take to begin. */
    private void restartWithTimeout(long millis) throws IOException {
        gateway.close();
        gateway = TestGateway.of(new TestGateway.Settings()
                .timeout(millis)
                .idleTimeout(10_000)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        service.close();
    }

    // row 14
    @Test
    void theServiceSaysContinue() throws IOException {
        service.now((head, connection) -> {
            assertThat(head.header("Expect")).isEqualTo("100-continue");
            connection.send("HTTP/1.1 100 Continue\r\n\r\n");
            connection.send(ScriptedService.answer(200, connection.readBody(head, false)));
        });
        try (RawClient client = gateway.client()) {
            client.send(UPLOAD + "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(100);
            assertThat(client.send("body").answer().body()).isEqualTo("body");
        }
    }

    // row 14
    @Test
    void theGatewaySaysContinueForAServiceThatDoesNot() throws IOException {
        service.now((head, connection) -> {
            String body = connection.readBody(head, false);
            connection.send("HTTP/1.1 100 Continue\r\n\r\n");
            connection.send(ScriptedService.answer(200, body));
        });
        try (RawClient client = gateway.client()) {
            client.send(UPLOAD + "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(100);
            assertThat(client.send("body").head().status()).as("no second 100").isEqualTo(200);
        }
    }

    // row 14
    @Test
    void aFinalAnswerInsteadOfContinuePasses() throws IOException {
        service.now((head, connection) -> connection.send(ScriptedService.answer(417, "no")));
        try (RawClient client = gateway.client()) {
            client.send(UPLOAD + "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n");
            Received answer = client.answer();
            assertThat(answer.status()).isEqualTo(417);
            assertThat(answer.header("Connection")).isEqualTo("close");
        }
    }

    // row 17
    @Test
    void anAnswerDuringTheUploadReachesTheClient() throws Exception {
        service.now((head, connection) -> {
            connection.readBytes(1024);
            connection.send(ScriptedService.answer(413, "too much"));
            connection.close();
        });
        for (int i = 0; i < 10; i++) {
            try (RawClient client = gateway.client()) {
                client.send(UPLOAD + "Content-Length: " + MIB + "\r\n\r\n");
                client.send(new byte[MIB]);
                Received answer = client.answer();
                assertThat(answer.status()).isEqualTo(413);
                assertThat(answer.body()).isEqualTo("too much");
            }
        }
        assertThat(gateway.awaitCount(Ending.OK, 10)).isTrue();
    }

    // row 17
    @Test
    void anAnswerInTheMiddleOfALargeUploadIsTheLast() throws Exception {
        service.now((head, connection) -> {
            connection.readBytes(1024);
            connection.send(ScriptedService.answer(413, "too much"));
            connection.close();
        });
        try (RawClient client = gateway.client()) {
            client.send(UPLOAD + "Content-Length: " + 64 * MIB + "\r\n\r\n");
            CompletableFuture<Void> upload = CompletableFuture.runAsync(() -> sendAll(client, 64));
            Received answer = client.answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(answer.body()).isEqualTo("too much");
            assertThat(client.isClosed()).isTrue();
            upload.get(8, TimeUnit.SECONDS);
        }
    }

    @Test
    void anUploadThatIsCutSaysNothingOfHowLongTheServiceTakes() throws Exception {
        service.now((head, connection) -> {
            connection.readBytes(1024);
            connection.send(ScriptedService.answer(413, "too much"));
            connection.close();
        });
        for (int i = 0; i < 10; i++) {
            try (RawClient client = gateway.client()) {
                client.send(UPLOAD + "Content-Length: " + 64 * MIB + "\r\n\r\n");
                CompletableFuture<Void> upload = CompletableFuture.runAsync(() -> sendAll(client, 64));
                assertThat(client.answer().status()).isEqualTo(413);
                upload.get(8, TimeUnit.SECONDS);
            }
        }
        assertThat(gateway.awaitCount(Ending.OK, 10)).isTrue();
        assertThat(gateway.cluster().serviceTimes().count()).isZero();
    }

    private static void sendAll(RawClient client, int mebibytes) {
        try {
            for (int i = 0; i < mebibytes; i++) {
                client.send(new byte[MIB]);
            }
        } catch (IOException e) {
            // the gateway does not have to take all of it
        }
    }

    // row 24
    @Test
    void eventsPassAtOnceAndForLongerThanTheTimeout() throws Exception {
        restartWithTimeout(1000);
        Semaphore arrived = new Semaphore(0);
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 20; i++) {
                connection.send("8\r\ndata: " + (char) ('a' + i) + "\n\r\n");
                assertThat(arrived.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
                Thread.sleep(80);
            }
            connection.send("0\r\n\r\n");
        });
        try (RawClient client = gateway.client()) {
            client.get("/x").head();
            for (int i = 0; i < 20; i++) {
                assertThat(client.readChunk()).isEqualTo("data: " + (char) ('a' + i) + "\n");
                arrived.release();
            }
            assertThat(client.readChunk()).isEmpty();
        }
        assertThat(gateway.count(Ending.OK)).isEqualTo(1);
    }

    // row 26
    @Test
    void aSlowUploadIsNotTheServicesFault() throws Exception {
        restartWithTimeout(1000);
        service.now(
                (head, connection) -> connection.send(ScriptedService.answer(200, connection.readBody(head, false))));
        try (RawClient client = gateway.client()) {
            client.send(UPLOAD + "Content-Length: 8\r\n\r\n");
            for (int i = 0; i < 8; i++) {
                Thread.sleep(200);
                client.send("" + i);
            }
            assertThat(client.answer().body()).isEqualTo("01234567");
        }
        assertThat(gateway.cluster().breaker().snapshot().failures()).isZero();
    }

    @Test
    void theTimeoutBeginsWithTheLastByteOfTheRequest() throws Exception {
        restartWithTimeout(400);
        service.now((head, connection) -> {
            connection.readBody(head, false);
            assertThat(connection.isClosed()).isTrue();
        });
        try (RawClient client = gateway.client()) {
            client.send(UPLOAD + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
            Thread.sleep(600);
            long complete = System.nanoTime();
            client.send("0\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(504);
            assertThat(System.nanoTime() - complete).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(400));
        }
    }

    @Test
    void anAnswerMayBeginBeforeTheRequestEnds() throws Exception {
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (String chunk = connection.readChunk(); !chunk.isEmpty(); chunk = connection.readChunk()) {
                connection.send(chunk.length() + "\r\n" + chunk + "\r\n");
            }
            connection.send("0\r\n\r\n");
        });
        try (RawClient client = gateway.client()) {
            client.send(UPLOAD + "Transfer-Encoding: chunked\r\n\r\n");
            assertThat(client.head().header("Connection")).isEqualTo("close");
            for (String piece : new String[] {"one", "two", "three"}) {
                client.send(piece.length() + "\r\n" + piece + "\r\n");
                assertThat(client.readChunk()).isEqualTo(piece);
            }
            client.send("0\r\n\r\n");
            assertThat(client.readChunk()).isEmpty();
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(gateway.awaitCount(Ending.OK, 1)).isTrue();
    }

    @Test
    void theRestOfARefusedUploadIsNotTheNextRequest() throws Exception {
        gateway.cluster().breaker().isolate();
        try (RawClient client = gateway.client()) {
            client.send(UPLOAD + "Content-Length: 40\r\n\r\nGET /smuggled HTTP/1.1\r\n");
            assertThat(client.answer().body()).contains("\"reason\":\"circuit-isolated\"");
            client.send("Host: evil......\r\n");
            gateway.cluster().breaker().close();
            assertThat(client.get("/next").answer().body()).isEqualTo("hello");
        }
        assertThat(service.requests()).hasSize(1);
        assertThat(service.requests().get(0).target()).isEqualTo("/next");
    }

    @Test
    void aLargeUploadThatIsRefusedIsNotReadToItsEnd() throws Exception {
        gateway.cluster().breaker().isolate();
        try (RawClient client = gateway.client()) {
            client.send(UPLOAD + "Content-Length: " + 100 * MIB + "\r\n\r\n").send(new byte[MIB]);
            Received answer = client.answer();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Connection")).isEqualTo("close");
        }
    }
}
