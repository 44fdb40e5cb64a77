package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.BalancingConfig;
import dev.recloser.gateway.config.DestinationTls;
import dev.recloser.gateway.config.HealthCheckConfig;
import dev.recloser.gateway.config.UpstreamConfig;
import dev.recloser.gateway.config.UpstreamProtocol;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Services that speak HTTP/2, and calls of gRPC. */
@ExtendWith(LeakCheck.class)
class Http2ServiceTest {

    private static final UpstreamConfig HTTP_2 = new UpstreamConfig(UpstreamProtocol.HTTP_2, DestinationTls.USUAL);
    private static final String GET = "GET /a HTTP/1.1\r\nHost: test\r\n\r\n";
    private static final String POST = "POST /a HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi";

    private Http2Peer service;
    private TestGateway gateway;

    private void start(Consumer<Http2Frames> script) throws IOException {
        start(Http2Settings.defaultSettings(), new TestGateway.Settings(), script);
    }

    private void start(Http2Settings settings, TestGateway.Settings gatewaySettings, Consumer<Http2Frames> script)
            throws IOException {
        service = new Http2Peer(null, settings, script);
        gateway = TestGateway.of(gatewaySettings
                .upstream(HTTP_2)
                .cluster(TestGateway.ONLY, service.port())
                .route("/**", TestGateway.ONLY));
    }

    @AfterEach
    void stop() {
        gateway.close();
        service.close();
    }

    private static void answerHello(Http2Frames stream) {
        stream.headers(false, ":status", "200", "x-own", "1").data("hello", true);
    }

    // ---- clients of HTTP/1

    @Test
    void aRequestOfHttp1IsPassedOnAndAnswered() throws Exception {
        start(Http2ServiceTest::answerHello);
        Received answer = gateway.send(
                "GET /a?b HTTP/1.1\r\nHost: test\r\nConnection: X-Gone\r\nX-Gone: 1\r\nX-Own: 2\r\nTE: trailers\r\n\r\n");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.header("x-own")).isEqualTo("1");
        assertThat(answer.header("via")).isEqualTo("2 recloser");
        var head = service.streams().get(0).head();
        assertThat(head.method()).hasToString("GET");
        assertThat(head.path()).hasToString("/a?b");
        assertThat(head.authority()).hasToString("test");
        assertThat(head.scheme()).hasToString("http");
        assertThat(head.get("x-own")).hasToString("2");
        assertThat(head.get("te")).hasToString("trailers");
        assertThat(head.get("x-forwarded-for")).hasToString("127.0.0.1");
        assertThat(head.names().stream().map(CharSequence::toString))
                .doesNotContain("connection", "x-gone", "host", "transfer-encoding");
        assertThat(service.streams().get(0).next()).isEqualTo("HEADERS GET END");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 6\r\n\r\nabcdef",
                "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"
            })
    void aBodyIsPassedOnAndItsEndSaid(String framed) throws Exception {
        start(Http2ServiceTest::answerHello);
        assertThat(gateway.send("POST / HTTP/1.1\r\nHost: test\r\n" + framed).body())
                .isEqualTo("hello");
        Http2Frames seen = service.streams().get(0);
        assertThat(seen.next()).isEqualTo("HEADERS POST");
        StringBuilder body = new StringBuilder();
        while (!body.toString().endsWith("END")) {
            body.append(seen.next().replace("DATA ", ""));
        }
        assertThat(body).hasToString("abcdef END");
    }

    @Test
    void manyRequestsShareOneConnection() throws Exception {
        start(stream -> {});
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            clients.add(gateway.client().send(GET));
        }
        TestGateway.until(() -> service.streams().size() == 8);
        service.streams().forEach(Http2ServiceTest::answerHello);
        for (RawClient client : clients) {
            assertThat(client.answer().body()).isEqualTo("hello");
            client.close();
        }
        assertThat(service.connections().size())
                .isLessThanOrEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(gateway.cluster().counters().upstreamConnected())
                .isEqualTo(service.connections().size());
    }

    @Test
    void aServiceThatTakesFewAtATimeGetsMoreConnections() throws Exception {
        start(Http2Settings.defaultSettings().maxConcurrentStreams(1), new TestGateway.Settings(), stream -> {});
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(gateway.client().send(GET));
        }
        TestGateway.until(() -> service.streams().size() == 4);
        assertThat(service.connections()).hasSize(4);
        service.streams().forEach(Http2ServiceTest::answerHello);
        for (RawClient client : clients) {
            assertThat(client.answer().status()).isEqualTo(200);
            client.close();
        }
    }

    @Test
    void aServiceThatTakesNoneAtAllCannotBeConnectedTo() throws Exception {
        start(Http2Settings.defaultSettings().maxConcurrentStreams(0), new TestGateway.Settings(), stream -> {});
        assertThat(gateway.send(GET).body()).contains("\"reason\":\"connect\"");
    }

    @Test
    void aServiceThatSpeaksOnlyHttp1CannotBeConnectedTo() throws Exception {
        try (ServerSocket refusing = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> {
                try {
                    while (true) {
                        RawConnection connection = new RawConnection(refusing.accept());
                        connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
                    }
                } catch (IOException e) {
                    // closed
                }
            });
            thread.setDaemon(true);
            thread.start();
            start(stream -> {});
            gateway.close();
            gateway = TestGateway.of(new TestGateway.Settings()
                    .upstream(HTTP_2)
                    .cluster(TestGateway.ONLY, refusing.getLocalPort())
                    .route("/**", TestGateway.ONLY));
            Received answer = gateway.send(POST);
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).contains("\"reason\":\"connect\"");
            assertThat(gateway.count(Ending.CONNECT)).isEqualTo(1);
        }
    }

    @Test
    void anAnswerThatIsResetAfterItsHeadersIsCutAndAFailure() throws Exception {
        start(stream -> {
            stream.headers(false, ":status", "200", "content-length", "10").data("12345", false);
            stream.channel()
                    .eventLoop()
                    .execute(() -> stream.reset(Http2Error.INTERNAL_ERROR)); // once that has gone out
        });
        try (RawClient client = gateway.client().send(GET)) {
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.readToEnd()).isEqualTo("12345");
        }
        assertThat(gateway.awaitCount(Ending.BODY_CUT, 1)).isTrue();
    }

    @Test
    void aRequestThatIsResetBeforeItsAnswerHasFailed() throws Exception {
        start(stream -> stream.reset(Http2Error.INTERNAL_ERROR));
        assertThat(gateway.send(GET).body()).contains("\"reason\":\"upstream-closed\"");
        assertThat(gateway.send(GET).body()).contains("\"reason\":\"upstream-closed\"");
        assertThat(service.connections()).as("the connection goes on").hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aRequestThatWasRefusedUnseenGoesOutOnceMore() throws Exception {
        boolean[] refused = {false};
        start(stream -> {
            if (service.streams().size() == 2 && !refused[0]) {
                refused[0] = true;
                stream.reset(Http2Error.REFUSED_STREAM);
            } else {
                answerHello(stream);
            }
        });
        try (RawClient client = gateway.client()) {
            assertThat(client.send(GET).answer().body()).isEqualTo("hello");
            assertThat(client.send(GET).answer().body()).isEqualTo("hello");
        }
        assertThat(refused[0]).isTrue();
        assertThat(service.streams()).hasSize(3);
    }

    @Test
    void aServiceThatRefusesWhateverComesHasFailedAndIsNotConnectedToAgainAndAgain() throws Exception {
        start(stream -> stream.reset(Http2Error.REFUSED_STREAM));
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send(i % 2 == 0 ? GET : POST).answer().status())
                        .isEqualTo(502);
            }
        }
        assertThat(gateway.count(Ending.UPSTREAM_CLOSED)).isEqualTo(4);
        assertThat(service.connections()).hasSize(1);
    }

    @Test
    void whenTheServiceSaysThatAConnectionEndsWhatIsUnderWayEndsOnItAndTheNextGoesOnAnother() throws Exception {
        start(stream -> {});
        try (RawClient first = gateway.client().send(GET)) {
            TestGateway.until(() -> service.streams().size() == 1);
            service.tell(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(10));
            try (RawClient second = gateway.client().send(GET);
                    RawClient third = gateway.client().send(GET)) {
                TestGateway.until(() -> service.streams().size() == 3);
                service.streams().forEach(Http2ServiceTest::answerHello);
                assertThat(first.answer().body()).isEqualTo("hello");
                assertThat(second.answer().body()).isEqualTo("hello");
                assertThat(third.answer().body()).isEqualTo("hello");
            }
            TestGateway.until(() -> !service.connections().get(0).isActive());
            assertThat(service.streams().get(0).channel().parent())
                    .isNotSameAs(service.streams().get(2).channel().parent());
        }
    }

    @Test
    void aTimeoutTakesTheRequestBackAndTheConnectionGoesOnOnceItHasAnsweredAPing() throws Exception {
        start(Http2Settings.defaultSettings(), new TestGateway.Settings().timeout(80), stream -> {
            if (stream.head().path().toString().equals("/fast")) {
                answerHello(stream);
            }
        });
        try (RawClient client = gateway.client()) {
            assertThat(client.send(GET).answer().body()).contains("\"reason\":\"timeout\"");
            List<String> slow = service.streams().get(0).all();
            assertThat(slow).containsExactly("HEADERS GET END", "RESET 8");
            TestGateway.until(() -> gateway.cluster().counters().upstreamIdle() == 1);
            assertThat(client.get("/fast").answer().body()).isEqualTo("hello");
        }
        assertThat(service.connections()).hasSizeLessThanOrEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "99", "1000", "abc", "101"})
    void anAnswerWithoutAStatusThatCanBeIsABadResponse(String status) throws Exception {
        start(stream -> stream.headers(true, ":status", status));
        Received answer = gateway.send(GET);
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).contains("\"reason\":\"bad-response\"");
    }

    @ParameterizedTest
    @CsvSource({"4, false, bad-response", "4, true, body-cut", "6, true, body-cut"})
    void anAnswerOfAnotherLengthThanWasAnnouncedIsNoWholeOne(String length, boolean body, String reason)
            throws Exception {
        start(stream -> {
            stream.headers(!body, ":status", "200", "content-length", length);
            if (body) {
                stream.data("hello", true);
            }
        });
        try (RawClient client = gateway.client().send(GET)) {
            if (body) {
                assertThat(client.head().status()).isEqualTo(200);
                assertThat(client.readToEnd().length()).isLessThan(Integer.parseInt(length));
            } else {
                assertThat(client.answer().status()).isEqualTo(502);
            }
        }
        Ending ending = body ? Ending.BODY_CUT : Ending.BAD_RESPONSE;
        assertThat(ending.reason()).isEqualTo(reason);
        assertThat(gateway.awaitCount(ending, 1)).isTrue();
    }

    @Test
    void theAnswerToAHeadHasALengthAndNoBody() throws Exception {
        start(stream -> stream.headers(true, ":status", "200", "content-length", "10"));
        try (RawClient client = gateway.client()) {
            client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n");
            assertThat(client.head().header("content-length")).isEqualTo("10");
            client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
        }
    }

    @Test
    void requestsThatFailTogetherOnAFreshConnectionAreFailures() throws Exception {
        start(stream -> {
            if (service.streams().size() == 4) {
                for (Channel connection : service.connections()) {
                    var unused = connection.close();
                }
            }
        });
        try (Http2Peer client = Http2Peer.client(gateway.address())) {
            List<Http2Frames> streams = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                streams.add(client.request("POST", "/", true));
            }
            for (Http2Frames stream : streams) {
                assertThat(stream.answer()).contains("HEADERS 502", "upstream-closed");
            }
        }
        assertThat(gateway.count(Ending.UPSTREAM_CLOSED)).isEqualTo(4);
    }

    @Test
    void aServiceThatNeverSaysAnythingIsGivenUpForAllWhoWait() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(stream -> {});
            gateway.close();
            gateway = TestGateway.of(new TestGateway.Settings()
                    .connectTimeout(Duration.ofMillis(100))
                    .upstream(HTTP_2)
                    .cluster(TestGateway.ONLY, silent.getLocalPort())
                    .route("/**", TestGateway.ONLY));
            for (int i = 0; i < 2; i++) {
                assertThat(gateway.send(GET).body()).contains("\"reason\":\"connect-timeout\"");
            }
            assertThat(gateway.cluster().counters().upstreamIdle()).isZero();
            assertThat(gateway.cluster().counters().upstreamInUse()).isZero();
        }
    }

    @Test
    void anAnswerThatWouldBeTwoInHttp1IsABadResponse() throws Exception {
        start(stream -> stream.headers(true, ":status", "200", "x", "1\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK"));
        assertThat(gateway.send(GET).status()).isEqualTo(502);
    }

    @Test
    void aClientThatTakesNothingHoldsTheServiceBack() throws Exception {
        long[] taken = {0};
        start(stream -> {
            stream.headers(false, ":status", "200");
            for (int i = 0; i < 100; i++) {
                var unused = stream.channel()
                        .writeAndFlush(new io.netty.handler.codec.http2.DefaultHttp2DataFrame(
                                stream.channel().alloc().buffer().writeZero(1_000_000), i == 99))
                        .addListener(written -> taken[0]++);
            }
        });
        try (RawClient client = gateway.client().send(GET)) {
            assertThat(client.head().status()).isEqualTo(200);
            long before = -1;
            while (before != taken[0]) { // what the buffers of the system take
                before = taken[0];
                Thread.sleep(100);
            }
            assertThat(taken[0]).as("megabytes that were taken").isLessThan(60);
            long body = 0;
            for (String chunk = client.readChunk(); !chunk.isEmpty(); chunk = client.readChunk()) {
                body += chunk.length();
            }
            assertThat(body).isEqualTo(100_000_000);
        }
    }

    // ---- health checks

    private static BalancingConfig checking(HealthCheckConfig asking) {
        return BalancingConfig.USUAL.with(new HealthCheckConfig(
                asking.path(),
                asking.grpcService(),
                Duration.ofMillis(100),
                Duration.ofSeconds(2),
                1,
                1,
                asking.statuses(),
                false));
    }

    private boolean isDown() {
        return gateway.cluster().destinations().all().get(0).health().isDown();
    }

    @Test
    void aCheckIsAGetByHttp2() throws Exception {
        AtomicReference<String> status = new AtomicReference<>("503");
        start(
                Http2Settings.defaultSettings(),
                new TestGateway.Settings().balancing(checking(HealthCheckConfig.of("/healthz"))),
                stream -> stream.headers(true, ":status", status.get()));
        TestGateway.until(this::isDown);
        assertThat(service.streams().get(0).head().path()).hasToString("/healthz");
        status.set("204");
        TestGateway.until(() -> !isDown());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shop.Cart"})
    void aCheckMayBeACallOfGrpc(String name) throws Exception {
        AtomicReference<String> reply = new AtomicReference<>("\0\0\0\0\2\10\2"); // NOT_SERVING
        start(
                Http2Settings.defaultSettings(),
                new TestGateway.Settings().balancing(checking(HealthCheckConfig.ofGrpc(name))),
                stream -> {
                    stream.headers(false, ":status", "200", "content-type", "application/grpc");
                    if (!reply.get().isEmpty()) {
                        stream.data(reply.get(), false);
                    }
                    stream.headers(true, "grpc-status", reply.get().isEmpty() ? "5" : "0");
                });
        TestGateway.until(this::isDown);
        Http2Frames asked = service.streams().get(0);
        assertThat(asked.head().path()).hasToString("/grpc.health.v1.Health/Check");
        assertThat(asked.next()).isEqualTo("HEADERS POST");
        assertThat(asked.next())
                .isEqualTo(name.isEmpty() ? "DATA \0\0\0\0\0 END" : "DATA \0\0\0\0\13\n\11" + name + " END");
        reply.set("\0\0\0\0\2\10\1"); // SERVING
        TestGateway.until(() -> !isDown());
        reply.set("");
        TestGateway.until(this::isDown);
    }

    // ---- gRPC

    private Http2Frames call(Http2Peer client, boolean end) {
        return client.request("POST", "/shop.Cart/Add", end, "content-type", "application/grpc", "te", "trailers");
    }

    @Test
    void aCallGoesThroughWithItsTrailers() throws Exception {
        start(stream -> stream.headers(false, ":status", "200", "content-type", "application/grpc")
                .data("reply", false)
                .headers(true, "grpc-status", "0", "grpc-message", "fine"));
        try (Http2Peer client = Http2Peer.client(gateway.address())) {
            Http2Frames stream = call(client, false).data("question", true);
            assertThat(stream.all())
                    .containsExactly("HEADERS 200", "DATA reply", "TRAILERS grpc-status=0 grpc-message=fine END");
        }
        assertThat(service.streams().get(0).head().get("te")).hasToString("trailers");
        assertThat(gateway.count(Ending.OK)).isEqualTo(1);
    }

    @Test
    void anAnswerOfTrailersAloneStaysOneFrame() throws Exception {
        start(stream ->
                stream.headers(true, ":status", "200", "content-type", "application/grpc", "grpc-status", "12"));
        try (Http2Peer client = Http2Peer.client(gateway.address())) {
            Http2Frames stream = call(client, false).data("question", true);
            assertThat(stream.all()).containsExactly("HEADERS 200 END");
            assertThat(stream.head().get("grpc-status")).hasToString("12");
        }
        assertThat(gateway.count(Ending.OK)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callsThatFailOpenTheCircuitAlthoughTheirStatusIs200(boolean trailersAlone) throws Exception {
        start(stream -> {
            if (trailersAlone) {
                stream.headers(true, ":status", "200", "grpc-status", "14");
            } else {
                stream.headers(false, ":status", "200").headers(true, "grpc-status", "13");
            }
        });
        try (Http2Peer client = Http2Peer.client(gateway.address())) {
            for (int i = 0; i < 5; i++) {
                assertThat(call(client, true).answer()).contains("HEADERS 200");
            }
            assertThat(gateway.count(Ending.UPSTREAM_5XX)).isEqualTo(5);
            assertThat(gateway.state()).isEqualTo(CircuitState.OPEN);
            assertThat(call(client, true).answer()).contains("HEADERS 503");
        }
    }

    @Test
    void aConversationGoesBothWaysAtOnceAndMayPauseForLongerThanTheTimeouts() throws Exception {
        start(
                Http2Settings.defaultSettings(),
                new TestGateway.Settings().timeout(50),
                stream -> stream.headers(false, ":status", "200"));
        try (Http2Peer client = Http2Peer.client(gateway.address())) {
            Http2Frames stream = call(client, false);
            assertThat(stream.next()).isEqualTo("HEADERS 200");
            Http2Frames served = service.streams().get(0);
            assertThat(served.next()).isEqualTo("HEADERS POST");
            for (int i = 0; i < 3; i++) {
                stream.data("q" + i, false);
                assertThat(served.next()).isEqualTo("DATA q" + i);
                Thread.sleep(60);
                served.data("a" + i, false);
                assertThat(stream.next()).isEqualTo("DATA a" + i);
            }
            stream.data("", true);
            assertThat(served.next()).isEqualTo("DATA  END");
            served.headers(true, "grpc-status", "0");
            assertThat(stream.all()).containsExactly("TRAILERS grpc-status=0 END");
        }
    }

    @Test
    void aConversationInWhichBothAreSilentForTooLongEndsWithoutAFailure() throws Exception {
        start(
                Http2Settings.defaultSettings(),
                new TestGateway.Settings().idleTimeout(100),
                stream -> stream.headers(false, ":status", "200"));
        try (Http2Peer client = Http2Peer.client(gateway.address())) {
            Http2Frames stream = call(client, false);
            assertThat(stream.all()).containsExactly("HEADERS 200", "RESET 8");
        }
        assertThat(gateway.awaitCount(Ending.CLIENT_SLOW, 1)).isTrue();
    }
}
