package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The total time of a request is over; who was waited for then is to blame. */
@ExtendWith(LeakCheck.class)
class TotalTimeoutTest {

    private final CountDownLatch open = new CountDownLatch(1);
    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
        start(150);
    }

    private void start(long totalMillis) throws IOException {
        gateway = TestGateway.of(new TestGateway.Settings()
                .totalTimeout(totalMillis)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
    }

    @AfterEach
    void stop() throws IOException {
        open.countDown();
        gateway.close();
        service.close();
    }

    private long failures() {
        return gateway.cluster().breaker().snapshot().failures();
    }

    @Test
    void aServiceThatDoesNotAnswerInTimeHasFailed() throws IOException {
        service.now(ScriptedService.heldUntil(open, ScriptedService.answer(200, "late")));
        Received answer = gateway.get("/x");
        assertThat(answer.status()).isEqualTo(504);
        assertThat(answer.body()).contains("\"reason\":\"deadline\"");
        assertThat(failures()).isEqualTo(1);
        assertThat(gateway.count(Ending.DEADLINE)).isEqualTo(1);
    }

    @Test
    void anAnswerThatDoesNotEndInTimeIsBrokenOff() throws Exception {
        service.now((head, connection) -> connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"));
        try (RawClient client = gateway.client()) {
            assertThat(client.get("/x").head().status()).isEqualTo(200);
            assertThat(client.readToEnd()).isEqualTo("hello");
        }
        assertThat(gateway.awaitCount(Ending.DEADLINE, 1)).isTrue();
        assertThat(failures()).isEqualTo(1);
    }

    @Test
    void aClientThatDoesNotSendInTimeIsSlowAndTheServiceNotToBlame() throws Exception {
        try (RawClient client = gateway.client()) {
            client.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhe");
            assertThat(client.answer().status()).isEqualTo(408);
        }
        assertThat(gateway.awaitCount(Ending.CLIENT_SLOW, 1)).isTrue();
        assertThat(failures()).isZero();
    }

    @Test
    void aClientThatStillSendsAfterAnEarlyAnswerIsTheSlowOne() throws Exception {
        service.now((head, connection) -> connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"));
        try (RawClient client = gateway.client()) {
            client.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhe");
            assertThat(client.head().status()).isEqualTo(200);
            client.readToEnd();
        }
        assertThat(gateway.awaitCount(Ending.CLIENT_SLOW, 1)).isTrue();
        assertThat(failures()).isZero();
    }

    @Test
    void whatEndsInTimeIsNotCut() throws IOException {
        gateway.close();
        start(60_000);
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/x").answer().status()).isEqualTo(200);
            }
        }
        assertThat(gateway.count(Ending.OK)).isEqualTo(3);
    }
}
