package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.adaptivelimiter.AdaptiveLimiterBuilder;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterBuilder;
import dev.recloser.gateway.config.LimiterConfig;
import dev.recloser.gateway.config.LimitsConfig;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.ratelimiter.RateLimiterBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many requests a cluster lets through at a time, in a time, and how large. */
@ExtendWith(LeakCheck.class)
class LimitsTest {

    private static final String GET = "GET /x HTTP/1.1\r\nHost: test\r\n\r\n";
    private static final Duration LONG = Duration.ofMinutes(1);

    private final CountDownLatch open = new CountDownLatch(1);
    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
    }

    @AfterEach
    void stop() throws IOException {
        open.countDown();
        gateway.close();
        service.close();
    }

    private void start(LimitsConfig limits) throws IOException {
        gateway = TestGateway.of(new TestGateway.Settings()
                .limits(limits)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
    }

    private void startWithConcurrency(int most, int queue, Duration maxWait) throws IOException {
        ConcurrencyLimiterBuilder builder =
                new ConcurrencyLimiterBuilder().maxConcurrent(most).queue(queue).maxWait(maxWait);
        start(new LimitsConfig(
                Optional.empty(),
                Optional.of(new LimiterConfig((name, time) -> builder.build(name))),
                OptionalLong.empty(),
                Optional.empty()));
    }

    private void startWithRate(RateLimiterBuilder builder) throws IOException {
        start(new LimitsConfig(
                Optional.of(new LimiterConfig(builder::build)),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty()));
    }

    private void startWithBody(long most) throws IOException {
        start(new LimitsConfig(Optional.empty(), Optional.empty(), OptionalLong.of(most), Optional.empty()));
    }

    private ConcurrencyLimiter limiter() {
        return (ConcurrencyLimiter) gateway.cluster().gate().limiter;
    }

    private void hold() {
        service.now(ScriptedService.heldUntil(open, ScriptedService.answer(200, "late")));
    }

    private void awaitAtService(int requests) {
        TestGateway.until(() -> service.requests().size() == requests);
    }

    @Test
    void aRequestBeyondTheLimitIsTurnedAwayAndNobodyIsToBlame() throws IOException {
        startWithConcurrency(1, 0, LONG);
        hold();
        try (RawClient first = gateway.client()) {
            first.send(GET);
            awaitAtService(1);
            Received turnedAway = gateway.get("/second");
            assertThat(turnedAway.status()).isEqualTo(503);
            assertThat(turnedAway.header("Retry-After")).isEqualTo("1");
            assertThat(turnedAway.body()).contains("\"reason\":\"limit\"", "\"cluster\":\"service\"");
            open.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(first.get("/third").answer().status()).isEqualTo(200);
        }
        assertThat(service.requests()).hasSize(2);
        assertThat(gateway.count(Ending.LIMIT)).isEqualTo(1);
        assertThat(gateway.cluster().breaker().snapshot().calls()).isEqualTo(2);
    }

    @Test
    void requestsWaitForTheirTurnAndKeepTheirBodies() throws IOException {
        startWithConcurrency(1, 2, LONG);
        List<String> bodies = new CopyOnWriteArrayList<>();
        service.now((head, connection) -> {
            open.await();
            bodies.add(connection.readBody(head, false));
            connection.send(ScriptedService.answer(200, "late"));
        });
        try (RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            first.send(GET);
            awaitAtService(1);
            second.send("POST /y HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nwor");
            TestGateway.until(() -> limiter().snapshot().queued() == 1);
            second.send("ld");
            open.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(second.answer().status()).isEqualTo(200);
        }
        assertThat(bodies).containsExactly("", "world");
        assertThat(limiter().snapshot().inFlight()).isZero();
    }

    @Test
    void aWaitThatTakesTooLongEndsWithoutTheService() throws IOException {
        startWithConcurrency(1, 1, Duration.ofMillis(50));
        hold();
        try (RawClient first = gateway.client()) {
            first.send(GET);
            awaitAtService(1);
            Received waited = gateway.get("/second");
            assertThat(waited.status()).isEqualTo(503);
            assertThat(waited.body()).contains("\"reason\":\"queue-timeout\"");
            open.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
        }
        assertThat(service.requests()).hasSize(1);
        assertThat(limiter().snapshot().queued()).isZero();
    }

    @Test
    void aClientThatLeavesTheQueueLeavesItsPlace() throws IOException {
        startWithConcurrency(1, 1, LONG);
        hold();
        try (RawClient first = gateway.client()) {
            first.send(GET);
            awaitAtService(1);
            try (RawClient gone = gateway.client()) {
                gone.send(GET);
                TestGateway.until(() -> limiter().snapshot().queued() == 1);
            }
            TestGateway.until(() -> limiter().snapshot().queued() == 0);
            open.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
        }
        TestGateway.until(() -> limiter().snapshot().inFlight() == 0);
        assertThat(service.requests()).hasSize(1);
        assertThat(gateway.count(Ending.CLIENT_GONE)).isEqualTo(1);
    }

    @Test
    void whatHasWaitedDoesNotPassACircuitThatOpenedMeanwhile() throws IOException {
        startWithConcurrency(1, 1, LONG);
        hold();
        try (RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            first.send(GET);
            awaitAtService(1);
            second.send(GET);
            TestGateway.until(() -> limiter().snapshot().queued() == 1);
            gateway.cluster().breaker().isolate();
            open.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(second.answer().status()).isEqualTo(503);
        }
        assertThat(service.requests()).hasSize(1);
        assertThat(limiter().snapshot().inFlight()).isZero();
    }

    @Test
    void manyClientsShareFewPlacesAndNobodyIsLost() throws Exception {
        startWithConcurrency(2, 100, LONG);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            clients.add(gateway.client().send(GET));
        }
        for (RawClient client : clients) {
            assertThat(client.answer().status()).isEqualTo(200);
            client.close();
        }
        assertThat(service.requests()).hasSize(40);
        TestGateway.until(() -> limiter().snapshot().inFlight() == 0);
        assertThat(limiter().snapshot().queued()).isZero();
    }

    @Test
    void theAdaptiveLimitCountsUntilTheAnswerBegins() throws IOException {
        AdaptiveLimiterBuilder<Object> builder =
                new AdaptiveLimiterBuilder<>().latencyGoal(LONG).maxLimit(1);
        start(new LimitsConfig(
                Optional.empty(),
                Optional.of(new LimiterConfig(builder::build)),
                OptionalLong.empty(),
                Optional.empty()));
        service.now((head, connection) -> {
            open.await();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
        });
        try (RawClient first = gateway.client()) {
            first.send(GET);
            awaitAtService(1);
            assertThat(gateway.get("/second").body()).contains("\"reason\":\"limit\"");
            open.countDown();
            assertThat(first.head().status()).isEqualTo(200);
            service.now(ScriptedService.always(ScriptedService.answer(200, "hello")));
            assertThat(gateway.get("/third").status()).isEqualTo(200);
        }
    }

    @Test
    void aRequestThatComesTooSoonIsTurnedAwayAndToldWhen() throws IOException {
        startWithRate(new RateLimiterBuilder().tokenBucket(2, Duration.ofSeconds(60)));
        assertThat(gateway.get("/1").status()).isEqualTo(200);
        assertThat(gateway.get("/2").status()).isEqualTo(200);
        Received third = gateway.get("/3");
        assertThat(third.status()).isEqualTo(429);
        assertThat(Integer.parseInt(third.header("Retry-After"))).isBetween(20, 30);
        assertThat(third.body()).contains("\"reason\":\"rate-limit\"");
        assertThat(service.requests()).hasSize(2);
        assertThat(gateway.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void aRequestMayWaitForItsTime() throws IOException {
        startWithRate(new RateLimiterBuilder()
                .tokenBucket(10, Duration.ofSeconds(1))
                .burst(1)
                .maxWait(LONG));
        long start = System.nanoTime();
        for (int i = 0; i < 4; i++) {
            assertThat(gateway.get("/" + i).status()).isEqualTo(200);
        }
        assertThat(System.nanoTime() - start).isGreaterThan(290_000_000);
    }

    @Test
    void aClientThatWaitsForItsTurnIsToldToGoOn() throws IOException {
        startWithConcurrency(1, 1, LONG);
        hold();
        try (RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            first.send(GET);
            awaitAtService(1);
            second.send("POST /y HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(second.head().status()).isEqualTo(100);
            second.send("hi");
            open.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(second.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void slowUploadsAreNotTheServicesAndDoNotLowerTheAdaptiveLimit() throws IOException {
        AdaptiveLimiterBuilder<Object> builder = new AdaptiveLimiterBuilder<>()
                .latencyGoal(Duration.ofMillis(20))
                .window(Duration.ofMillis(1))
                .minimumSamples(1);
        start(new LimitsConfig(
                Optional.empty(),
                Optional.of(new LimiterConfig(builder::build)),
                OptionalLong.empty(),
                Optional.empty()));
        AdaptiveLimiter limiter = (AdaptiveLimiter) gateway.cluster().gate().limiter;
        int before = limiter.snapshot().limit();
        List<RawClient> uploads = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            uploads.add(gateway.client().send("POST /y HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nh"));
        }
        awaitAtService(5);
        LockSupport.parkNanos(Duration.ofMillis(60).toNanos());
        assertThat(gateway.get("/x").status()).isEqualTo(200);
        assertThat(limiter.snapshot().inFlight()).isEqualTo(5);
        assertThat(limiter.snapshot().limit()).isGreaterThanOrEqualTo(before);
        for (RawClient upload : uploads) {
            upload.close();
        }
    }

    @Test
    void anOpenCircuitSpendsNoPermits() throws IOException {
        startWithRate(new RateLimiterBuilder().tokenBucket(2, Duration.ofHours(1)));
        gateway.cluster().breaker().isolate();
        for (int i = 0; i < 5; i++) {
            assertThat(gateway.get("/" + i).status()).isEqualTo(503);
        }
        RateLimiter limiter = (RateLimiter) gateway.cluster().gate().rateLimiter;
        assertThat(limiter.snapshot().available()).isEqualTo(2);
    }

    @Test
    void aBodyThatSaysThatItIsTooLargeIsRefusedAtOnce() throws IOException {
        startWithBody(10);
        Received refused =
                gateway.send("POST /x HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n");
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.body()).contains("\"reason\":\"bad-request\"");
        assertThat(service.requests()).isEmpty();
        assertThat(gateway.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n0123456789")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aBodyThatGrowsTooLargeIsRefusedAndTheServiceNeverSeesItsEnd() throws IOException {
        startWithBody(10);
        List<String> bodies = new CopyOnWriteArrayList<>();
        service.now((head, connection) -> bodies.add(connection.readBody(head, false)));
        try (RawClient client = gateway.client()) {
            client.send("POST /x HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n");
            awaitAtService(1);
            client.send("6\r\n012345\r\n0\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(413);
        }
        assertThat(gateway.count(Ending.BAD_REQUEST)).isEqualTo(1);
        gateway.close();
        assertThat(bodies).isEmpty();
        assertThat(gateway.cluster().breaker().snapshot().failures()).isZero();
    }
}
