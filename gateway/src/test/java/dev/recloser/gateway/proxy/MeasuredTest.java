package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is counted and measured of requests is what happened to them, end to end. */
@ExtendWith(LeakCheck.class)
class MeasuredTest {

    private static final String POST = "POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\n";
    private static final long TIMEOUT_MILLIS = 2000;
    private static final long SLOW_MILLIS = TIMEOUT_MILLIS / 2 + 20;
    private static final long CLIENT_MILLIS = 300;
    private static final long SERVICE_MILLIS = 100;

    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
        gateway = TestGateway.of(new TestGateway.Settings()
                .timeout(TIMEOUT_MILLIS)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        service.close();
    }

    private Counters counters() {
        return gateway.cluster().counters();
    }

    /** The loop counts on while the client has its answer already. */
    private static void assertSoon(LongSupplier actual, long expected) throws InterruptedException {
        long end = System.nanoTime() + RawConnection.BOUND.toNanos();
        while (actual.getAsLong() != expected && System.nanoTime() < end) {
            Thread.sleep(2);
        }
        assertThat(actual.getAsLong()).isEqualTo(expected);
    }

    private static ScriptedService.Script after(long millis, String answer) {
        return (head, connection) -> {
            connection.readBody(head, false);
            Thread.sleep(millis);
            connection.send(answer);
        };
    }

    @Test
    void theServiceIsMeasuredWithoutTheTimeThatTheClientTakes() throws Exception {
        service.now(after(SERVICE_MILLIS, ScriptedService.answer(200, "hello")));
        long begin;
        try (RawClient client = gateway.client()) {
            begin = System.nanoTime();
            client.send(POST);
            Thread.sleep(CLIENT_MILLIS);
            assertThat(client.send("12345").answer().status()).isEqualTo(200);
        }
        assertSoon(() -> gateway.cluster().overheads().count(), 1);
        long all = System.nanoTime() - begin;
        LatencySnapshot times = gateway.cluster().serviceTimes();
        LatencySnapshot overheads = gateway.cluster().overheads();
        assertThat(times.count()).isEqualTo(1);
        // The service may have the request before the gateway hears that it has gone out.
        assertThat(times.sumNanos())
                .isBetween(
                        TimeUnit.MILLISECONDS.toNanos(SERVICE_MILLIS) * 9 / 10,
                        all - TimeUnit.MILLISECONDS.toNanos(CLIENT_MILLIS));
        assertThat(overheads.sumNanos()).isBetween(1L, all - times.sumNanos());
    }

    @Test
    void aGoodAnswerAfterMoreThanHalfOfTheTimeoutIsSlow() throws Exception {
        service.now(after(SLOW_MILLIS, ScriptedService.answer(200, "hello")));
        gateway.get("/");
        assertThat(counters().slow()).isEqualTo(1);
    }

    @Test
    void aFailureIsNotSlowHoweverLongItTook() throws Exception {
        service.now(after(SLOW_MILLIS, ScriptedService.answer(500, "broken")));
        gateway.get("/");
        assertThat(gateway.count(Ending.UPSTREAM_5XX)).isEqualTo(1);
        assertThat(counters().slow()).isZero();
    }

    @Test
    void aTimeoutIsMeasuredToo() throws Exception {
        service.now((head, connection) -> Thread.sleep(10_000));
        assertThat(gateway.get("/").status()).isEqualTo(504);
        LatencySnapshot times = gateway.cluster().serviceTimes();
        assertThat(times.count()).isEqualTo(1);
        assertThat(times.sumNanos()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS));
        assertThat(gateway.cluster().overheads().count()).isZero();
    }

    @Test
    void endingsAreCountedWithWhatTheClientGot() throws Exception {
        gateway.get("/");
        service.now(ScriptedService.always(ScriptedService.answer(404, "none")));
        gateway.get("/");
        service.now(ScriptedService.always(ScriptedService.answer(503, "busy")));
        gateway.get("/");
        service.now(ScriptedService.always(ScriptedService.answer(302, "")));
        gateway.get("/");
        assertThat(counters().count(Ending.OK, StatusClass.SUCCESS)).isEqualTo(1);
        assertThat(counters().count(Ending.OK, StatusClass.CLIENT_ERROR)).isEqualTo(1);
        assertThat(counters().count(Ending.OK, StatusClass.REDIRECTION)).isEqualTo(1);
        assertThat(counters().count(Ending.UPSTREAM_5XX, StatusClass.SERVER_ERROR))
                .isEqualTo(1);
        assertThat(counters().count(Ending.OK)).isEqualTo(3);
    }

    @Test
    void aClientThatLeavesBeforeTheAnswerGotNoStatus() throws Exception {
        service.now((head, connection) -> Thread.sleep(10_000));
        try (RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
            assertSoon(() -> counters().inFlight(), 1);
        }
        assertSoon(() -> counters().count(Ending.CLIENT_GONE, StatusClass.NONE), 1);
        assertThat(counters().inFlight()).isZero();
        assertThat(gateway.cluster().serviceTimes().count()).isZero();
    }

    @Test
    void whatIsForNoClusterIsCountedApart() throws Exception {
        gateway.send("GARBAGE\r\n\r\n");
        Counters unrouted = gateway.gateway().unrouted();
        assertThat(unrouted.count(Ending.BAD_REQUEST, StatusClass.CLIENT_ERROR)).isEqualTo(1);
        assertThat(unrouted.inFlight()).isZero();
    }

    @Test
    void bytesOfBodiesAreCountedInBothDirections() throws Exception {
        gateway.send(POST + "12345");
        assertThat(counters().requestBytes()).isEqualTo(5);
        assertThat(counters().responseBytes()).isEqualTo(5);
        gateway.send("POST /x HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
        assertThat(counters().requestBytes()).isEqualTo(8);
        try (RawClient client = gateway.client()) {
            client.send("HEAD /x HTTP/1.1\r\nHost: test\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
        }
        assertThat(counters().responseBytes()).isEqualTo(10);
    }

    @Test
    void theGatewaysOwnAnswersHaveBytesToo() throws Exception {
        gateway.cluster().breaker().isolate();
        assertThat(counters().responseBytes()).isEqualTo(0);
        String body = gateway.get("/").body();
        assertThat(counters().responseBytes()).isEqualTo(body.length()).isPositive();
    }

    @Test
    void connectionsToTheServiceAreCountedAsTheyAreMadeUsedAndKept() throws Exception {
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n").answer();
            }
        }
        assertThat(counters().upstreamConnected()).isEqualTo(1);
        assertThat(counters().upstreamReused()).isEqualTo(2);
        assertThat(counters().upstreamIdle()).isEqualTo(1);
        assertThat(counters().upstreamInUse()).isZero();
        service.close(); // and with it the connection that was kept
        assertSoon(() -> counters().upstreamIdle(), 0);
    }

    @Test
    void aConnectionIsInUseWhileItsRequestIs() throws Exception {
        service.now((head, connection) -> Thread.sleep(10_000));
        try (RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
            assertSoon(() -> counters().upstreamInUse(), 1);
        }
        assertSoon(() -> counters().upstreamInUse(), 0);
        assertThat(counters().upstreamIdle()).isZero();
    }

    @Test
    void destinationsThatRefuseAreCounted() throws Exception {
        int refusing;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            refusing = closed.getLocalPort();
        }
        try (TestGateway nowhere = TestGateway.of(
                new TestGateway.Settings().cluster(TestGateway.ONLY, refusing).route("/**", TestGateway.ONLY))) {
            assertThat(nowhere.get("/").status()).isEqualTo(502);
            assertThat(nowhere.cluster().counters().upstreamConnectFailed()).isEqualTo(1);
            assertThat(nowhere.cluster().counters().upstreamConnected()).isZero();
            assertThat(nowhere.cluster().counters().upstreamInUse()).isZero();
        }
    }

    @Test
    void connectionsOfClientsAreCounted() throws Exception {
        try (RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n").answer();
            assertThat(gateway.gateway().clientConnections()).isEqualTo(1);
        }
        assertSoon(() -> gateway.gateway().clientConnections(), 0);
        assertThat(gateway.gateway().clientConnectionsTotal()).isEqualTo(1);
    }
}
