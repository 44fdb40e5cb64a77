package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One side that sends without reading, pauses, or breaks off: faults that the data plane has had. */
@ExtendWith(LeakCheck.class)
class UnevenPeersTest {

    private static final long MIB = 1024 * 1024;

    private final ScriptedService service;
    private TestGateway gateway;

    UnevenPeersTest() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
    }

    private void start(long idleMillis) throws IOException {
        gateway = TestGateway.of(new TestGateway.Settings()
                .timeout(10_000)
                .idleTimeout(idleMillis)
                .cluster(TestGateway.ONLY, service)
                .route("/x/**", TestGateway.ONLY));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        service.close();
    }

    @Test
    void aClientThatPipelinesAndDoesNotReadIsHeldBack() throws Exception {
        start(10_000);
        long before = directMemory();
        AtomicLong sent = new AtomicLong();
        RawClient client = gateway.client();
        // Answered by the gateway itself, which is faster than any service.
        byte[] requests =
                "GET /nowhere HTTP/1.1\r\nHost: test\r\n\r\n".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
            try {
                for (int i = 0; i < 5000; i++) {
                    client.send(requests);
                    sent.addAndGet(requests.length);
                }
            } catch (IOException expected) {
                // The test closes the connection.
            }
        });
        awaitStandstill(sent);
        assertThat(sent.get()).isLessThan(5000L * requests.length);
        assertThat(directMemory() - before).isLessThan(16 * MIB);
        client.close();
        sender.get(20, TimeUnit.SECONDS);
    }

    @Test
    void aClientThatTakesNoAnswerIsWhyItsServiceTakesNoRequestWhichIsNoFailure() throws Exception {
        start(1500); // a service takes no request while it sends this answer, which may last on a busy machine
        byte[] piece = new byte[1_000_000];
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 30000000\r\n\r\n");
            for (int i = 0; i < 30; i++) {
                connection.send(piece);
            }
            connection.readBody(head, false);
        });
        try (RawClient client = gateway.client()) {
            AtomicLong sent = new AtomicLong();
            CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
                try {
                    client.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 30000000\r\n\r\n");
                    for (int i = 0; i < 30; i++) {
                        client.send(piece);
                        sent.addAndGet(piece.length);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            awaitStandstill(sent);
            Thread.sleep(2000); // longer than the service may be silent
            assertThat(sent.get()).isLessThan(30_000_000);
            assertThat(gateway.count(Ending.BODY_CUT)).isZero();
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.readBytes(30_000_000)).hasSize(30_000_000);
            sender.get(20, TimeUnit.SECONDS);
            assertThat(gateway.awaitCount(Ending.OK, 1)).isTrue();
        }
    }

    @Test
    void anAnswerThatIsLostWithItsConnectionIsNotPassedOnAsComplete() throws Exception {
        start(10_000);
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\n\r\npartial");
            connection.reset();
        });
        try (RawClient client = gateway.client()) {
            client.send("GET /x/ HTTP/1.1\r\nHost: test\r\n\r\n");
            String answer = client.readToEnd();
            assertThat(answer).doesNotEndWith("0\r\n\r\n");
        }
        assertThat(gateway.count(Ending.OK)).isZero();
    }

    @Test
    void theClientsPauseIsNotTheServicesSilence() throws Exception {
        start(300);
        CountDownLatch answered = new CountDownLatch(1);
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n");
            answered.countDown();
            String body = connection.readBody(head, false);
            connection.send("4\r\n" + body + "\r\n0\r\n\r\n");
        });
        try (RawClient client = gateway.client()) {
            client.send("POST /x/ HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\n");
            assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
            Thread.sleep(1000); // three times what the service may be silent
            client.send("body");
            assertThat(client.answer().body()).isEqualTo("hibody");
        }
        assertThat(gateway.awaitCount(Ending.OK, 1)).isTrue();
        assertThat(gateway.cluster().breaker().snapshot().failures()).isZero();
    }

    @Test
    void endlessAnswersBeforeTheAnswerAreABadResponse() throws Exception {
        start(10_000);
        service.now((head, connection) -> {
            for (int i = 0; i < 1000; i++) {
                connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
            }
        });
        try (RawClient client = gateway.client()) {
            client.send("GET /x/ HTTP/1.1\r\nHost: test\r\n\r\n");
            assertThat(gateway.awaitCount(Ending.BAD_RESPONSE, 1)).isTrue();
        }
    }

    private static void awaitStandstill(AtomicLong counter) throws InterruptedException {
        long before = -1;
        while (counter.get() != before || before == 0) {
            before = counter.get();
            Thread.sleep(300);
        }
    }

    private static long directMemory() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                .metric()
                .usedDirectMemory();
    }
}
