package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Starting, going down gently, and going down. */
@ExtendWith(LeakCheck.class)
class DrainTest {

    private final Semaphore asked = new Semaphore(0);
    private final Semaphore mayAnswer = new Semaphore(0);
    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = new ScriptedService((head, connection) -> {
            asked.release();
            mayAnswer.acquire();
            connection.send(ScriptedService.answer(200, "hello"));
        });
        gateway = TestGateway.before(service);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        service.close();
    }

    private CompletableFuture<Boolean> drain(Duration bound) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return gateway.gateway().drain(bound);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** What the system had accepted before is served for a moment. */
    private void awaitRefusal() {
        try {
            while (true) {
                gateway.client().close();
            }
        } catch (IOException refused) {
            assertThat(gateway.gateway().isDraining()).isTrue();
        }
    }

    @Test
    void requestOnAConnectionThatIsIdleIsServedAndIsTheLast() throws Exception {
        mayAnswer.release();
        try (RawClient fresh = gateway.client();
                RawClient used = gateway.client()) {
            mayAnswer.release();
            used.get("/first").answer();
            CompletableFuture<Boolean> drained = drain(Duration.ofSeconds(8));
            TestGateway.until(() -> gateway.gateway().isDraining());
            for (RawClient client : List.of(used, fresh)) {
                mayAnswer.release();
                Received answer = client.get("/x").answer();
                assertThat(answer.body()).isEqualTo("hello");
                assertThat(answer.header("Connection")).isEqualTo("close");
                assertThat(client.isClosed()).isTrue();
            }
            assertThat(drained.get(8, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aBoundBeyondAllMeasureIsNoFailure() throws Exception {
        assertThat(gateway.gateway().drain(Duration.ofDays(300_000))).isTrue();
    }

    @Test
    void whatIsUnderWayIsAnsweredAndIsTheLast() throws Exception {
        try (RawClient idle = gateway.client();
                RawClient busy = gateway.client()) {
            mayAnswer.release();
            idle.get("/first").answer();
            busy.get("/x");
            assertThat(asked.tryAcquire(2, 5, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Boolean> drained = drain(Duration.ofSeconds(8));
            assertThat(idle.isClosed()).isTrue();
            assertThat(gateway.gateway().isDraining()).isTrue();
            awaitRefusal();
            assertThat(drained).isNotDone();
            mayAnswer.release();
            Received answer = busy.answer();
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(busy.isClosed()).isTrue();
            assertThat(drained.get(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatHasBegunToComeIsServedAndIsTheLast() throws Exception {
        mayAnswer.release();
        try (RawClient client = gateway.client();
                RawClient idle = gateway.client()) {
            client.send("GET /x HTTP/1.1\r\nHo");
            CompletableFuture<Boolean> drained = drain(Duration.ofSeconds(8));
            assertThat(idle.isClosed()).isTrue();
            client.send("st: test\r\n\r\n");
            Received answer = client.answer();
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(drained.get(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatTakesTooLongIsReported() throws Exception {
        try (RawClient busy = gateway.client()) {
            busy.get("/x");
            assertThat(asked.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
            assertThat(drain(Duration.ofMillis(50)).get(5, TimeUnit.SECONDS)).isFalse();
            gateway.close();
            assertThat(busy.isClosed()).isTrue();
        }
    }

    @Test
    void withoutConnectionsThereIsNothingToWaitFor() throws Exception {
        assertThat(drain(Duration.ofSeconds(5)).get(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aPortThatIsTakenIsSaid() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            var settings = new TestGateway.Settings()
                    .cluster(TestGateway.ONLY, service)
                    .route("/**", TestGateway.ONLY);
            assertThatThrownBy(() -> TestGateway.of(settings.listen(taken.getLocalPort())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }
}
