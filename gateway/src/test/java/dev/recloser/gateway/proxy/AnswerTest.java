package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the answer of a service reaches the client, whole or broken. */
@ExtendWith(LeakCheck.class)
class AnswerTest {

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
        gateway = TestGateway.of(new TestGateway.Settings()
                .idleTimeout(300)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        service.close();
    }

    /** An answer after which the service closes. */
    private void answerAndClose(String answer) {
        service.now((head, connection) -> {
            connection.send(answer);
            connection.close();
        });
    }

    // row 15
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"
            })
    void anAnswerWithoutABodyKeepsTheFraming(String empty) throws IOException {
        try (RawClient client = gateway.client()) {
            service.now(ScriptedService.always(empty));
            Received answer = client.get("/empty").answer();
            assertThat(answer.status()).isIn(204, 304);
            assertThat(answer.has("Transfer-Encoding")).isFalse();
            service.now(ScriptedService.always(ScriptedService.answer(200, "next")));
            assertThat(client.get("/next").answer().body()).isEqualTo("next");
        }
        assertThat(service.connections()).isEqualTo(1);
    }

    // row 15
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 10\r\n", "Transfer-Encoding: chunked\r\n", ""})
    void anAnswerToHeadHasNoBody(String framing) throws IOException {
        try (RawClient client = gateway.client()) {
            service.now(ScriptedService.always("HTTP/1.1 200 OK\r\n" + framing + "\r\n"));
            client.send("HEAD /x HTTP/1.1\r\nHost: test\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
            service.now(ScriptedService.always(ScriptedService.answer(200, "next")));
            assertThat(client.get("/next").answer().body()).isEqualTo("next");
        }
        assertThat(service.connections()).isEqualTo(1);
    }

    // row 16
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 5", "Content-Length: 0", "Transfer-Encoding: chunked"})
    void anInterimAnswerHasNoFraming(String framing) throws IOException {
        String hints = "HTTP/1.1 103 Early Hints\r\n" + framing + "\r\nLink: </a>\r\n\r\n";
        service.now(ScriptedService.always(hints + ScriptedService.answer(200, "hello")));
        try (RawClient client = gateway.client()) {
            Received interim = client.get("/x").head();
            assertThat(interim.header("Link")).isEqualTo("</a>");
            assertThat(interim.has("Content-Length")).isFalse();
            assertThat(interim.has("Transfer-Encoding")).isFalse();
            assertThat(client.answer().body()).isEqualTo("hello");
        }
    }

    // row 16
    @Test
    void earlyHintsReachOnlyThoseWhoKnowThem() throws IOException {
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
        service.now(ScriptedService.always(hints + hints + ScriptedService.answer(200, "hello")));
        try (RawClient client = gateway.client()) {
            client.get("/x");
            assertThat(client.head().header("Link")).isEqualTo("</a>");
            assertThat(client.head().status()).isEqualTo(103);
            assertThat(client.answer().body()).isEqualTo("hello");
            assertThat(client.get("/x").head().status()).isEqualTo(103);
        }
        assertThat(gateway.send("GET /x HTTP/1.0\r\n\r\n").body()).isEqualTo("hello");
    }

    // row 18
    @Test
    void anAnswerThatIsCutNeverLooksWhole() throws Exception {
        answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
        try (RawClient client = gateway.client()) {
            assertThat(client.get("/x").head().status()).isEqualTo(200);
            assertThat(client.readBytes(5)).isEqualTo("hello");
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(gateway.awaitCount(Ending.BODY_CUT, 1)).isTrue();
        assertThat(gateway.cluster().breaker().snapshot().failures()).isEqualTo(1);
    }

    // row 18
    @Test
    void chunksThatAreCutNeverLookWhole() throws Exception {
        answerAndClose("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
        assertThatThrownBy(() -> gateway.get("/x")).isInstanceOf(IOException.class);
        assertThat(gateway.awaitCount(Ending.BODY_CUT, 1)).isTrue();
    }

    // row 18
    @Test
    void aCutAnswerWithoutALengthIsAnErrorForHttp10() throws Exception {
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            connection.close();
        });
        assertThatThrownBy(() -> gateway.send("GET /x HTTP/1.0\r\n\r\n")).isInstanceOf(IOException.class);
    }

    // row 19
    @Test
    void aServiceThatFallsSilentIsCut() throws Exception {
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            assertThat(connection.isClosed()).isTrue();
        });
        try (RawClient client = gateway.client()) {
            client.get("/x").head();
            assertThat(client.readChunk()).isEqualTo("hello");
            assertThatThrownBy(client::readChunk).isInstanceOf(IOException.class);
        }
        assertThat(gateway.awaitCount(Ending.BODY_CUT, 1)).isTrue();
        assertThat(gateway.cluster().breaker().snapshot().failures()).isEqualTo(1);
    }

    // row 20
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
                "HTTP/1.0 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\na",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 1000 High\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 +20 Sign\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 2x0 Letter\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
                "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 O\u0000K\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 O\u001bK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 O\u007fK\r\nContent-Length: 0\r\n\r\n",
                "garbage\r\n\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "HTTP/1.1 200 OK\r\nFoo\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length x: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding\tx: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nFoo: a\u0000b\r\n\r\n"
            })
    void anAnswerThatIsNoneIsABadGateway(String answer) throws Exception {
        service.now(ScriptedService.always(answer));
        Received received = gateway.get("/x");
        assertThat(received.status()).isEqualTo(502);
        assertThat(received.body()).contains("\"reason\":\"bad-response\"", "\"cluster\":\"service\"");
        assertThat(gateway.cluster().breaker().snapshot().failures()).isEqualTo(1);
    }

    // row 20
    @Test
    void anAnswerWithTooLargeAHeadIsABadGateway() throws IOException {
        service.now(ScriptedService.always("HTTP/1.1 200 OK\r\nFoo: " + "x".repeat(Limits.HEADER_BYTES) + "\r\n\r\n"));
        assertThat(gateway.get("/x").body()).contains("bad-response");
    }

    @Test
    void aFreshConnectionClosedBeforeTheHeadersIsABadGateway() throws IOException {
        answerAndClose("");
        assertThat(gateway.get("/x").body()).contains("\"status\":502", "upstream-closed");
        answerAndClose("HTTP/1.1 200");
        assertThat(gateway.get("/x").body()).contains("upstream-closed");
        answerAndClose("HTTP/1.1 200 OK\r\nFoo: bar\r\n");
        assertThat(gateway.get("/x").body()).contains("upstream-closed");
        assertThat(gateway.cluster().breaker().snapshot().failures()).isEqualTo(3);
    }

    @Test
    void anAnswerThatEndsWithItsConnectionIsFramedAnew() throws IOException {
        answerAndClose("HTTP/1.0 200 OK\r\n\r\nhello");
        try (RawClient client = gateway.client()) {
            Received answer = client.get("/x").answer();
            assertThat(answer.header("Transfer-Encoding")).isEqualTo("chunked");
            assertThat(answer.body()).isEqualTo("hello");
            service.now(ScriptedService.always(ScriptedService.answer(200, "next")));
            assertThat(client.get("/x").answer().body()).isEqualTo("next");
        }
        answerAndClose("HTTP/1.0 200 OK\r\n\r\nhello");
        Received old = gateway.send("GET /x HTTP/1.0\r\n\r\n");
        assertThat(old.has("Transfer-Encoding")).isFalse();
        assertThat(old.body()).isEqualTo("hello");
    }

    @Test
    void anAnswerThatEndsWithAnErrorIsCut() throws Exception {
        service.now((head, connection) -> {
            connection.send("HTTP/1.0 200 OK\r\n\r\nhello");
            assertThat(head.target()).isEqualTo("/x");
            connection.reset();
        });
        assertThatThrownBy(() -> gateway.get("/x")).isInstanceOf(IOException.class);
        assertThat(gateway.count(Ending.OK)).isZero();
    }

    @Test
    void chunksAndTrailersPass() throws IOException {
        service.now(ScriptedService.always(
                CHUNKED + "5\r\nhello\r\n3;x=y\r\n, w\r\n0\r\nX-Sum: 1\r\nSet-Cookie: no\r\n\r\n"));
        try (RawClient client = gateway.client()) {
            client.get("/x").head();
            assertThat(client.readChunk() + client.readChunk()).isEqualTo("hello, w");
            assertThat(client.readLine()).isEqualTo("0");
            assertThat(client.readLine()).isEqualTo("X-Sum: 1");
            assertThat(client.readLine()).isEmpty();
        }
    }

    @Test
    void whatComesBehindAnAnswerIsNotTheNextOne() throws IOException {
        service.now(
                ScriptedService.always(ScriptedService.answer(200, "hello") + ScriptedService.answer(200, "poison")));
        try (RawClient client = gateway.client()) {
            assertThat(client.get("/x").answer().body()).isEqualTo("hello");
            service.now(ScriptedService.always(ScriptedService.answer(200, "next")));
            assertThat(client.get("/x").answer().body()).isEqualTo("next");
        }
        assertThat(service.connections()).isEqualTo(2);
    }

    @Test
    void answersOfTheServicePassAsTheyAre() throws IOException {
        for (int status : new int[] {200, 201, 301, 404, 429, 500, 503, 599}) {
            service.now(ScriptedService.always("HTTP/1.1 " + status + " My Words\r\nContent-Length: 2\r\n\r\nhi"));
            assertThat(gateway.get("/x").startLine()).isEqualTo("HTTP/1.1 " + status + " My Words");
        }
        assertThat(gateway.count(Ending.UPSTREAM_5XX)).isEqualTo(3);
        assertThat(gateway.count(Ending.OK)).isEqualTo(5);
    }
}
