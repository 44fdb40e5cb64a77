package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.BalancingConfig;
import dev.recloser.gateway.config.LoadBalancing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections that are refused, lost, left and reused. */
@ExtendWith(LeakCheck.class)
class ConnectionsTest {

    /** A label so long that no resolver asks anybody for it. */
    private static final String NO_NAME = "x".repeat(64) + ".invalid";

    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
        gateway = TestGateway.before(service);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        service.close();
    }

    /** A service that closes each connection just as its second request comes. */
    private static ScriptedService.Script closingOnSecond() {
        AtomicInteger answered = new AtomicInteger();
        return (head, connection) -> {
            connection.readBody(head, false);
            if (answered.incrementAndGet() == 2) {
                connection.close();
            } else {
                connection.send(ScriptedService.answer(200, "hello"));
            }
        };
    }

    // row 21
    @Test
    void aGetOnAConnectionThatIsJustClosedIsRepeated() throws IOException {
        service.now(closingOnSecond());
        try (RawClient client = gateway.client()) {
            assertThat(client.get("/1").answer().status()).isEqualTo(200);
            assertThat(client.get("/2").answer().status()).isEqualTo(200);
        }
        assertThat(service.connections()).isEqualTo(2);
        assertThat(service.requests()).hasSize(3);
        assertThat(service.requests().get(2).head())
                .isEqualTo(service.requests().get(1).head());
        assertThat(gateway.count(Ending.OK)).isEqualTo(2);
        assertThat(gateway.cluster().breaker().snapshot().failures()).isZero();
    }

    // row 21
    @Test
    void aPostOnAConnectionThatIsJustClosedIsNotRepeated() throws IOException {
        service.now(closingOnSecond());
        String post = "POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi";
        try (RawClient client = gateway.client()) {
            assertThat(client.send(post).head().status()).isEqualTo(200);
            client.readBytes(5);
            client.send(post);
            Received answer = client.answer();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).contains("\"reason\":\"stale\"");
        }
        assertThat(service.requests()).hasSize(2);
        assertThat(gateway.cluster().breaker().snapshot().calls()).isEqualTo(1);
    }

    // row 22
    @Test
    void aClientThatLeavesTakesItsRequestAlong() throws Exception {
        CountDownLatch closed = new CountDownLatch(100);
        service.now((head, connection) -> {
            if (connection.isClosed()) {
                closed.countDown();
            }
        });
        for (int i = 0; i < 100; i++) {
            try (RawClient client = gateway.client()) {
                client.get("/" + i);
                awaitRequests(i + 1);
            }
        }
        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.awaitCount(Ending.CLIENT_GONE, 100)).isTrue();
        assertThat(gateway.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(gateway.cluster().breaker().snapshot().calls()).isZero();
        assertThat(gateway.cluster().counters().inFlight()).isZero();
    }

    private void awaitRequests(int count) throws InterruptedException {
        long end = System.nanoTime() + RawConnection.BOUND.toNanos();
        while (service.requests().size() < count && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertThat(service.requests()).hasSize(count);
    }

    // row 27
    @Test
    void aDestinationThatRefusesIsPassedOver() throws IOException {
        try (TestGateway two = TestGateway.of(new TestGateway.Settings()
                        .cluster(TestGateway.ONLY, unusedPort(), service.port())
                        .route("/**", TestGateway.ONLY));
                RawClient client = two.client()) {
            for (int i = 0; i < 1000; i++) {
                client.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi");
                assertThat(client.answer().status()).isEqualTo(200);
            }
            assertThat(two.state()).isEqualTo(CircuitState.CLOSED);
            assertThat(two.cluster().breaker().snapshot().failures()).isZero();
        }
    }

    @Test
    void whenNoDestinationIsLeftItIsAFailure() throws IOException {
        try (TestGateway none = TestGateway.of(new TestGateway.Settings()
                .cluster(TestGateway.ONLY, unusedPort(), unusedPort())
                .route("/**", TestGateway.ONLY))) {
            Received answer = none.get("/x");
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).contains("\"reason\":\"connect\"");
            assertThat(none.cluster().breaker().snapshot().failures()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionThatIsNotAnsweredTimesOut() throws IOException {
        List<Socket> queued = new ArrayList<>();
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            fill(deaf, queued);
            try (TestGateway waiting = TestGateway.of(new TestGateway.Settings()
                    .cluster(TestGateway.ONLY, deaf.getLocalPort())
                    .route("/**", TestGateway.ONLY))) {
                Received answer = waiting.get("/x");
                assertThat(answer.status()).isEqualTo(504);
                assertThat(answer.body()).contains("\"reason\":\"connect-timeout\"");
                assertThat(waiting.cluster().breaker().snapshot().failures()).isEqualTo(1);
            }
        } finally {
            for (Socket socket : queued) {
                socket.close();
            }
        }
    }

    /** Connects until the queue of the socket, which accepts nothing, is full. */
    private static void fill(ServerSocket deaf, List<Socket> queued) throws IOException {
        try {
            while (true) {
                Socket socket = new Socket();
                queued.add(socket);
                socket.connect(new InetSocketAddress(deaf.getInetAddress(), deaf.getLocalPort()), 1000);
            }
        } catch (java.net.SocketTimeoutException e) {
            // full
        }
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void requestsAreSharedAmongDestinations() throws IOException {
        try (ScriptedService other = ScriptedService.answering(ScriptedService.answer(200, "hello"));
                TestGateway two = TestGateway.before(service, other);
                RawClient client = two.client()) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.get("/x").answer().status()).isEqualTo(200);
            }
            assertThat(service.requests()).hasSize(5);
            assertThat(other.requests()).hasSize(5);
        }
    }

    @Test
    void theBusyDestinationIsLeftAloneWhereRequestsGoToTheLeastBusyOne() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        ScriptedService.Script script = (head, connection) -> {
            if (head.head().startsWith("GET /slow ")) {
                asked.countDown();
                done.await();
            }
            connection.send(ScriptedService.answer(200, "hello"));
        };
        service.now(script);
        try (ScriptedService other = new ScriptedService(script);
                TestGateway two = TestGateway.of(new TestGateway.Settings()
                        .balancing(BalancingConfig.USUAL.with(LoadBalancing.LEAST_REQUESTS))
                        .cluster(TestGateway.ONLY, service, other)
                        .route("/**", TestGateway.ONLY));
                RawClient waiting = two.client()) {
            waiting.get("/slow");
            assertThat(asked.await(8, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 8; i++) {
                assertThat(two.get("/x").body()).isEqualTo("hello");
            }
            done.countDown();
            assertThat(waiting.answer().body()).isEqualTo("hello");
            assertThat(List.of(service.requests().size(), other.requests().size()))
                    .containsExactlyInAnyOrder(1, 8);
        }
    }

    @Test
    void aNameIsLookedUp() throws IOException {
        var settings = new TestGateway.Settings()
                .connectTimeout(Duration.ofSeconds(7))
                .route("/**", TestGateway.ONLY)
                .cluster(TestGateway.ONLY, service);
        try (TestGateway named = TestGateway.of(settings.byName("localhost"))) {
            assertThat(named.get("/x").status()).isEqualTo(200);
        }
        try (TestGateway named = TestGateway.of(settings.byName(NO_NAME))) {
            assertThat(named.get("/x").body()).contains("\"reason\":\"connect\"");
        }
    }
}
