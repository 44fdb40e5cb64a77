package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.RetryConfig;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests that go out once more after a service has had them. */
@ExtendWith(LeakCheck.class)
class RetryTest {

    private static final String POST = "POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi";
    private static final String HEALTHY = ScriptedService.answer(200, "hello");
    private static final String BUSY = ScriptedService.answer(503, "busy");
    private static final ScriptedService.Script SILENT = (head, connection) -> {};
    private static final ScriptedService.Script CLOSING = (head, connection) -> connection.close();

    private ScriptedService sick;
    private ScriptedService well;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        sick = ScriptedService.answering(BUSY);
        well = ScriptedService.answering(HEALTHY);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        sick.close();
        well.close();
    }

    private void start(int maxRetries, double budget, ScriptedService... services) throws IOException {
        gateway = TestGateway.of(new TestGateway.Settings()
                .timeout(500)
                .retry(new RetryConfig(maxRetries, Set.of(503), 0, 0, budget))
                .cluster(TestGateway.ONLY, services)
                .route("/**", TestGateway.ONLY));
    }

    private void assertThatTheSickOneIsNotSeen() throws IOException {
        start(1, 100, sick, well);
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.get("/" + i).answer().status()).isEqualTo(200);
            }
        }
        assertThat(sick.requests()).as("its turn is every other one").hasSize(2);
        assertThat(well.requests()).hasSize(4);
        assertThat(gateway.cluster().counters().retries()).isEqualTo(2);
        assertThat(gateway.cluster().breaker().snapshot().calls()).isEqualTo(4);
        assertThat(gateway.cluster().breaker().snapshot().failures()).isZero();
    }

    @Test
    void anAnswerThatIsNamedGoesToAnotherDestination() throws IOException {
        assertThatTheSickOneIsNotSeen();
    }

    @Test
    void aTimeoutGoesToAnotherDestination() throws IOException {
        sick.now(SILENT);
        assertThatTheSickOneIsNotSeen();
    }

    @Test
    void aClosedConnectionGoesToAnotherDestination() throws IOException {
        sick.now(CLOSING);
        assertThatTheSickOneIsNotSeen();
    }

    @Test
    void aRetryDoesNotGoToADestinationThatIsKnownToBeBad() throws IOException {
        start(1, 100, well, sick);
        sick.now(CLOSING);
        gateway.cluster().destinations().all().get(1).health().checked(false, "down");
        AtomicInteger asked = new AtomicInteger();
        well.now((head, connection) -> connection.send(asked.incrementAndGet() == 1 ? BUSY : HEALTHY));
        assertThat(gateway.get("/x").status()).isEqualTo(200);
        assertThat(sick.requests()).isEmpty();
        assertThat(well.requests()).hasSize(2);
    }

    @Test
    void theLastAnswerIsPassedOnWhenNoAttemptIsLeftAndCountsOnce() throws IOException {
        start(2, 100, sick);
        Received answer = gateway.get("/x");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("busy");
        assertThat(sick.requests()).hasSize(3);
        assertThat(gateway.cluster().breaker().snapshot().failures()).isEqualTo(1);
        assertThat(gateway.count(Ending.UPSTREAM_5XX)).isEqualTo(1);
    }

    @Test
    void theConnectionToTheClientGoesOnAfterRetries() throws IOException {
        start(2, 100, sick);
        AtomicInteger asked = new AtomicInteger();
        sick.now((head, connection) -> connection.send(asked.incrementAndGet() % 3 == 0 ? HEALTHY : BUSY));
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/" + i).answer().body()).isEqualTo("hello");
            }
        }
        assertThat(gateway.cluster().counters().upstreamInUse()).isZero();
    }

    @Test
    void whatAsksForAChangeIsNotSentTwice() throws IOException {
        start(2, 100, sick);
        assertThat(gateway.send(POST).status()).isEqualTo(503);
        assertThat(gateway.send("DELETE /x HTTP/1.1\r\nHost: test\r\n\r\n").status())
                .isEqualTo(503);
        assertThat(sick.requests()).hasSize(2);
    }

    @Test
    void aServiceThatSaysWhenToComeAgainIsHeard() throws IOException {
        start(2, 100, sick);
        sick.now(ScriptedService.always("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nbusy"));
        assertThat(gateway.get("/x").header("Retry-After")).isEqualTo("7");
        assertThat(sick.requests()).hasSize(1);
    }

    @Test
    void theBudgetBoundsWhatRetriesAdd() throws IOException {
        start(1, 2, sick);
        for (int i = 0; i < 4; i++) {
            assertThat(gateway.get("/" + i).status()).isEqualTo(503);
        }
        assertThat(sick.requests()).hasSize(4 + 2);
    }

    @Test
    void aProbeReachesTheServiceOnce() throws IOException {
        start(2, 100, sick);
        for (int i = 0; gateway.state() == CircuitState.CLOSED; i++) {
            assertThat(gateway.get("/" + i).status()).isEqualTo(503);
        }
        int before = sick.requests().size();
        assertThat(before).isEqualTo(5 * 3);
        TestGateway.until(() -> {
            try {
                return gateway.get("/probe").body().equals("busy");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(sick.requests()).hasSize(before + 1);
    }

    @Test
    void withoutTheSettingNothingThatWasSentIsSentAgain() throws IOException {
        gateway = TestGateway.before(sick);
        assertThat(gateway.get("/x").status()).isEqualTo(503);
        sick.now(CLOSING);
        assertThat(gateway.get("/x").status()).isEqualTo(502);
        assertThat(sick.requests()).hasSize(2);
    }
}
