package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.BalancingConfig;
import dev.recloser.gateway.config.OutlierDetectionConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One of three destinations fails, end to end: after two failures in a row it is left out. */
@ExtendWith(LeakCheck.class)
class OutlierDetectionTest {

    private static final String HEALTHY = ScriptedService.answer(200, "hello");
    private static final int TURNS = 15;
    private static final int FAILURES = 2;

    private static final OutlierDetectionConfig RULES = new OutlierDetectionConfig(
            FAILURES,
            OptionalDouble.empty(),
            20,
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            0.5,
            Duration.ZERO);

    private ScriptedService failing;
    private ScriptedService second;
    private ScriptedService third;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        failing = ScriptedService.answering(HEALTHY);
        second = ScriptedService.answering(HEALTHY);
        third = ScriptedService.answering(HEALTHY);
        gateway = TestGateway.of(new TestGateway.Settings()
                .timeout(700)
                .balancing(BalancingConfig.USUAL.with(RULES))
                .cluster(TestGateway.ONLY, failing, second, third)
                .route("/**", TestGateway.ONLY));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        failing.close();
        second.close();
        third.close();
    }

    private List<Integer> statuses() {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < TURNS; i++) {
            try {
                statuses.add(gateway.get("/x").status());
            } catch (IOException broken) {
                statuses.add(0);
            }
        }
        return statuses;
    }

    private void assertLeftOutAfter(int status) {
        assertThat(statuses().stream().filter(each -> each != 200))
                .hasSize(FAILURES)
                .containsOnly(status);
        assertThat(failing.requests()).hasSize(FAILURES);
        assertThat(gateway.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void forAnswersThatSayThatItFails() {
        failing.now(ScriptedService.always(ScriptedService.answer(500, "broken")));
        assertLeftOutAfter(500);
    }

    @Test
    void forAnswersThatDoNotCome() {
        failing.now((head, connection) -> connection.isClosed());
        assertLeftOutAfter(504);
    }

    @Test
    void forConnectionsThatBreak() {
        failing.now((head, connection) -> connection.close());
        assertLeftOutAfter(502);
    }

    @Test
    void forAnswersThatBreakOff() {
        failing.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhel");
            connection.close();
        });
        assertLeftOutAfter(0);
    }

    @Test
    void notForClientsThatLeave() throws Exception {
        failing.now((head, connection) -> connection.isClosed());
        for (int i = 1; failing.requests().size() < FAILURES + 1; i++) {
            try (RawClient client = gateway.client()) {
                client.get("/x");
                awaitAskedOrAnswered(i);
            }
        }
        assertThat(gateway.cluster().destinations().all())
                .allMatch(each -> each.health().share(System.nanoTime()) == 1);
    }

    private void awaitAskedOrAnswered(int requests) throws InterruptedException {
        long end = System.nanoTime() + RawConnection.BOUND.toNanos();
        while (asked() < requests && System.nanoTime() < end) {
            Thread.sleep(1);
        }
    }

    private int asked() {
        return failing.requests().size()
                + second.requests().size()
                + third.requests().size();
    }
}
