package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.ClientsConfig;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that speak HTTP/2, in front of services that speak HTTP/1.1. */
@ExtendWith(LeakCheck.class)
class Http2ClientTest {

    private ScriptedService service;
    private TestGateway gateway;
    private Http2Peer client;

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
        gateway = TestGateway.before(service);
        client = Http2Peer.client(gateway.address());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        gateway.close();
        service.close();
        TestGateway.until(() -> gateway.gateway().clientConnections() == 0);
    }

    @Test
    void aRequestIsPassedOnAndAnswered() throws Exception {
        Http2Frames stream = client.request("GET", "/a?b=c", true, "x-own", "1", "te", "trailers");
        assertThat(stream.all()).containsExactly("HEADERS 200", "DATA hello END");
        assertThat(stream.head().get("content-length")).hasToString("5");
        assertThat(stream.head().get("via")).hasToString("1.1 recloser");
        Received head = service.requests().get(0);
        assertThat(head.head()).startsWith("GET /a?b=c HTTP/1.1\r\n");
        assertThat(head.header("host")).isEqualTo("test");
        assertThat(head.header("x-own")).isEqualTo("1");
        assertThat(head.header("te")).isEqualTo("trailers");
        assertThat(head.header("via")).isEqualTo("2 recloser");
        assertThat(head.header("x-forwarded-proto")).isEqualTo("http");
        assertThat(head.header("x-forwarded-for")).isEqualTo("127.0.0.1");
        assertThat(head.head()).doesNotContainIgnoringCase("content-length", "transfer-encoding");
        assertThat(gateway.count(Ending.OK)).isEqualTo(1);
    }

    @Test
    void manyRequestsOfOneConnectionAreUnderWayAtOnceAndNoAnswerIsCrossed() throws Exception {
        CountDownLatch all = new CountDownLatch(20);
        service.now((head, connection) -> {
            all.countDown();
            all.await(RawConnection.BOUND.toMillis(), TimeUnit.MILLISECONDS);
            connection.send(ScriptedService.answer(200, head.target()));
        });
        List<Http2Frames> streams = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            streams.add(client.get("/" + i));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(streams.get(i).answer()).isEqualTo("HEADERS 200 /" + i);
        }
        assertThat(gateway.gateway().clientConnectionsTotal()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBodyIsPassedOnWithItsLengthOrInChunks(boolean length) throws Exception {
        service.now(
                (head, connection) -> connection.send(ScriptedService.answer(200, connection.readBody(head, false))));
        Http2Frames stream =
                length ? client.request("POST", "/", false, "content-length", "9") : client.request("POST", "/", false);
        stream.data("one ", false).data("two ", false).data("3", true);
        assertThat(stream.answer()).isEqualTo("HEADERS 200 one two 3");
        Received head = service.requests().get(0);
        assertThat(head.header("content-length")).isEqualTo(length ? "9" : null);
        assertThat(head.header("transfer-encoding")).isEqualTo(length ? null : "chunked");
    }

    @Test
    void trailersGoBothWays() throws Exception {
        service.now((head, connection) -> {
            connection.readBody(head, false);
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-End: 7\r\n\r\n");
        });
        Http2Frames stream = client.request("POST", "/", false).data("x", false).headers(true, "x-sum", "1");
        assertThat(stream.all()).containsExactly("HEADERS 200", "DATA hi", "TRAILERS x-end=7 END");
    }

    @ParameterizedTest
    @CsvSource({"GET, 304", "GET, 204", "HEAD, 200"})
    void anAnswerWithoutABodyIsOneFrame(String method, int status) throws Exception {
        service.now((head, connection) -> connection.send(
                "HTTP/1.1 " + status + " X\r\n" + (status == 204 ? "" : "Content-Length: 10\r\n") + "\r\n"));
        assertThat(client.request(method, "/", true).all()).containsExactly("HEADERS " + status + " END");
        assertThat(client.request(method, "/", true).all()).containsExactly("HEADERS " + status + " END");
        assertThat(service.connections()).isEqualTo(1);
    }

    @Test
    void interimAnswersReachTheClient() throws Exception {
        service.now((head, connection) -> connection.send(
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ScriptedService.answer(200, "hello")));
        assertThat(client.get("/").all()).containsExactly("HEADERS 103", "HEADERS 200", "DATA hello END");
    }

    @Test
    void cookiesInCrumbsAreOneHeaderAgain() throws Exception {
        client.request("GET", "/", true, "cookie", "a=1", "cookie", "b=2").answer();
        assertThat(service.requests().get(0).header("cookie")).isEqualTo("a=1; b=2");
    }

    // ---- what could be read in two ways

    @ParameterizedTest
    @CsvSource({
        "transfer-encoding, chunked",
        "connection, close",
        "upgrade, websocket",
        "keep-alive, x",
        "X-Upper, 1",
        "x y, 1",
        "x:y, 1",
        "x-break, 'a\r\nb: c'",
        "x-nul, 'a\0b'",
        "x-space, ' a'",
        "content-length, 5x",
        "content-length, +5",
        "content-length, 05",
        "host, other"
    })
    void aHeaderThatHttp1WouldReadOtherwiseIsRefusedAndTheServiceSeesNothing(String name, String value)
            throws Exception {
        String answer = client.request("GET", "/", true, name, value).answer();
        assertThat(answer)
                .satisfiesAnyOf(
                        refused -> assertThat(refused).contains("HEADERS 400", "\"reason\":\"bad-request\""),
                        reset -> assertThat(reset).isEqualTo("RESET 1"));
        assertThat(service.requests()).isEmpty();
        assertThat(client.get("/").answer()).isEqualTo("HEADERS 200 hello");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, http, a, test",
        "GET, http, http://x/, test",
        "GET, ftp, /, test",
        "GET, http, '/ HTTP/1.1', test",
        "GET, http, /../x, test",
        "G T, http, /, test",
        "GET, http, /, te st",
        "GET, http, *, test"
    })
    void aMalformedPseudoHeaderIsRefused(String method, String scheme, String path, String authority) throws Exception {
        Http2Frames stream = client.stream()
                .headers(true, ":method", method, ":scheme", scheme, ":path", path, ":authority", authority);
        assertThat(stream.answer()).contains("HEADERS 400", "\"reason\":\"bad-request\"");
        assertThat(service.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {":method", ":path", ":scheme", ":authority"})
    void aMissingPseudoHeaderIsRefused(String missing) throws Exception {
        List<String> headers =
                new ArrayList<>(List.of(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "test"));
        int at = headers.indexOf(missing);
        headers.remove(at);
        headers.remove(at);
        assertThat(client.stream().headers(true, headers.toArray(new String[0])).answer())
                .satisfiesAnyOf(
                        refused -> assertThat(refused).contains("HEADERS 400"),
                        reset -> assertThat(reset).isEqualTo("RESET 1"));
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void aProtocolToConnectToIsRefused() throws Exception {
        assertThat(client.request("GET", "/", true, ":protocol", "websocket").answer())
                .contains("HEADERS 400", "\"reason\":\"bad-request\"");
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void aSecondHostThatIsAnotherIsRefused() throws Exception {
        assertThat(client.request("GET", "/", true, "host", "test", "host", "other")
                        .answer())
                .contains("HEADERS 400", "\"reason\":\"bad-request\"");
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void tooManyHeadersAreRefused() throws Exception {
        String[] many = new String[2 * 100];
        for (int i = 0; i < many.length; i += 2) {
            many[i] = "x-" + i;
            many[i + 1] = "1";
        }
        assertThat(client.request("GET", "/", true, many).answer()).contains("HEADERS 431");
        assertThat(client.get("/" + "x".repeat(9000)).answer()).contains("HEADERS 414");
        assertThat(service.requests()).isEmpty();
        service.now((head, connection) -> connection.readBody(head, false));
        Http2Frames trailing = client.request("POST", "/", false).headers(true, many);
        assertThat(trailing.answer()).as("trailers count").contains("HEADERS 431");
    }

    @Test
    void tooLargeHeadersAreRefusedAndTheConnectionGoesOn() throws Exception {
        assertThat(client.request("GET", "/", true, "x-large", "x".repeat(40_000))
                        .answer())
                .contains("HEADERS 431");
        assertThat(client.get("/").answer()).isEqualTo("HEADERS 200 hello");
    }

    @Test
    void connectIsNotServed() throws Exception {
        Http2Frames stream = client.stream().headers(true, ":method", "CONNECT", ":authority", "test:80");
        assertThat(stream.answer()).contains("HEADERS 405");
        assertThat(stream.head().get("allow")).hasToString(RequestHead.SERVED_METHODS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4", "6"})
    void aBodyOfAnotherLengthThanWasSaidIsNeverARequestInFull(String length) throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        List<String> bodies = new ArrayList<>();
        service.now((head, connection) -> {
            bodies.add(connection.readBody(head, false));
            seen.countDown();
            connection.send(ScriptedService.answer(200, "hello"));
        });
        Http2Frames stream =
                client.request("POST", "/", false, "content-length", length).data("12345", true);
        assertThat(stream.answer()).contains("RESET").doesNotContain("HEADERS 200");
        assertThat(bodies).doesNotContain("12345");
    }

    // ---- the ends

    @Test
    void aClientThatResetsItsStreamHasItsForwardCancelledAndNobodyHasFailed() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        service.now((head, connection) -> {
            asked.countDown();
            if (connection.readHead() == null) {
                left.countDown();
            }
        });
        Http2Frames stream = client.get("/");
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        stream.reset(Http2Error.CANCEL);
        assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.awaitCount(Ending.CLIENT_GONE, 1)).isTrue();
        assertThat(gateway.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void aClientThatIsHeldBackAndLeavesIsNoticed() throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        service.now((head, connection) -> stop.await()); // takes nothing
        Http2Frames stream = client.request("POST", "/", false);
        for (int i = 0; i < 40; i++) {
            stream.data(new byte[100_000], false);
        }
        TestGateway.until(
                () -> !service.requests().isEmpty() && !stream.channel().isWritable());
        client.close();
        assertThat(gateway.awaitCount(Ending.CLIENT_GONE, 1)).isTrue();
        stop.countDown();
    }

    @Test
    void anAnswerThatBreaksOffResetsItsStreamAndNoOther() throws Exception {
        service.now((head, connection) -> {
            if (head.target().equals("/cut")) {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345");
                connection.close();
            } else {
                connection.send(ScriptedService.answer(200, "hello"));
            }
        });
        assertThat(client.get("/cut").answer()).isEqualTo("HEADERS 200 12345 RESET 8");
        assertThat(client.get("/").answer()).isEqualTo("HEADERS 200 hello");
        assertThat(gateway.count(Ending.BODY_CUT)).isEqualTo(1);
    }

    @Test
    void anEarlyAnswerEndsTheUploadWithoutAnError() throws Exception {
        service.now((head, connection) -> connection.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig"));
        Http2Frames stream = client.request("POST", "/", false).data("12345", false);
        assertThat(stream.answer()).isEqualTo("HEADERS 413 big RESET 0");
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    void theTimeoutIsAnsweredAndTheNextRequestGoesOnTheSameConnection() throws Exception {
        gateway.close();
        client.close();
        gateway = TestGateway.of(new TestGateway.Settings()
                .timeout(80)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
        client = Http2Peer.client(gateway.address());
        service.now((head, connection) -> {
            if (head.target().equals("/")) {
                connection.send(ScriptedService.answer(200, "hello"));
            } else {
                connection.readHead();
            }
        });
        assertThat(client.get("/slow").answer()).contains("HEADERS 504", "\"reason\":\"timeout\"");
        assertThat(client.get("/").answer()).isEqualTo("HEADERS 200 hello");
    }

    @Test
    void aSlowReaderHoldsItsServiceBackAndNoOtherStream() throws Exception {
        client.close();
        client = new Http2Peer(
                gateway.address(), null, Http2Settings.defaultSettings().initialWindowSize(1000));
        service.now((head, connection) -> connection.send(
                ScriptedService.answer(200, head.target().equals("/large") ? "x".repeat(3_000_000) : "hello")));
        Http2Frames large = client.stream();
        large.channel().config().setAutoRead(false);
        large.headers(true, ":method", "GET", ":scheme", "http", ":path", "/large", ":authority", "test");
        TestGateway.until(() -> gateway.cluster().counters().upstreamInUse() == 1);
        assertThat(client.get("/").answer()).isEqualTo("HEADERS 200 hello");
        large.channel().config().setAutoRead(true);
        assertThat(large.answer()).hasSize("HEADERS 200 ".length() + 3_000_000);
    }

    @Test
    void whenTheGatewayGoesDownRequestsAreServedAndTheConnectionEndsAfterThem() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        service.now(ScriptedService.heldUntil(go, ScriptedService.answer(200, "hello")));
        Http2Frames before = client.get("/");
        TestGateway.until(() -> !service.requests().isEmpty());
        Thread draining = new Thread(() -> {
            try {
                gateway.gateway().drain(Duration.ofSeconds(10));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        draining.start();
        TestGateway.until(() -> client.goAways().contains(Integer.MAX_VALUE + " 0"));
        Http2Frames after = client.get("/");
        TestGateway.until(() -> service.requests().size() == 2);
        go.countDown();
        assertThat(before.answer()).isEqualTo("HEADERS 200 hello");
        assertThat(after.answer()).isEqualTo("HEADERS 200 hello");
        draining.join(10_000);
        assertThat(draining.isAlive()).isFalse();
        TestGateway.until(() -> !client.isOpen());
        assertThat(client.goAways()).contains("5 0");
    }

    @Test
    void aClientThatOpensAndResetsStreamAfterStreamLosesItsConnection() throws Exception {
        try {
            for (int i = 0; i < 3 * Limits.RESETS && client.isOpen(); i++) {
                client.get("/").reset(Http2Error.CANCEL);
            }
        } catch (Exception e) {
            // it has been closed in this moment
        }
        TestGateway.until(() -> !client.isOpen());
        try (Http2Peer other = Http2Peer.client(gateway.address())) {
            assertThat(other.get("/").answer()).isEqualTo("HEADERS 200 hello");
        }
    }

    @Test
    void aConnectionThatIsIdleIsTakenLeaveOf() throws Exception {
        ClientsConfig usual = ClientsConfig.USUAL;
        ClientsConfig.Times times = new ClientsConfig.Times(
                Duration.ofMillis(50),
                usual.times().header(),
                usual.times().body(),
                usual.times().stall(),
                usual.times().minBodyRate());
        gateway.close();
        client.close();
        gateway = TestGateway.of(new TestGateway.Settings()
                .clients(new ClientsConfig(usual.connections(), times, usual.sizes(), false, false))
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
        client = Http2Peer.client(gateway.address());
        assertThat(client.get("/").answer()).isEqualTo("HEADERS 200 hello");
        TestGateway.until(() -> !client.isOpen());
        assertThat(client.goAways()).containsExactly(Integer.MAX_VALUE + " 0", "3 0");
    }

    @Test
    void aGatewayThatIsStoppedEndsWhatIsUnderWay() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        service.now((head, connection) -> {
            asked.countDown();
            connection.readHead();
        });
        Http2Frames stream = client.get("/");
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        gateway.close();
        assertThat(gateway.count(Ending.GATEWAY_STOPPED)).isEqualTo(1);
        assertThat(stream.all()).doesNotContain("HEADERS 200");
    }

    @Test
    void aPrefaceInPiecesIsOneAndARequestThatBeginsLikeItIsNone() throws Exception {
        try (RawClient raw = gateway.client()) {
            raw.send("PR").send("I * HTTP/2.0\r\n\r\nS").send("M\r\n\r\n");
            raw.send(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
            String settings = raw.readBytes(9);
            assertThat(settings.charAt(3)).as("type of the first frame").isEqualTo((char) 4);
        }
        assertThat(gateway.send("PROPFIND / HTTP/1.1\r\nHost: test\r\n\r\n").status())
                .isEqualTo(200);
        assertThat(gateway.send("PRI / HTTP/1.1\r\nHost: test\r\n\r\n").status())
                .isEqualTo(200);
    }
}
