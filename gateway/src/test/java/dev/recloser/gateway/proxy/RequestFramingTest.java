package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.ClientsConfig;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What could be read in two ways is refused, and nothing of it reaches the service. */
@ExtendWith(LeakCheck.class)
class RequestFramingTest {

    private static final String START = "POST /x HTTP/1.1\r\nHost: test\r\n";
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: test\r\n\r\n";

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

    private void isRefused(String request, int status) throws IOException {
        try (RawClient client = gateway.client()) {
            client.send(request);
            Received answer = client.answer();
            assertThat(answer.status()).as(request).isEqualTo(status);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(answer.body()).contains("\"reason\":\"bad-request\"");
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(service.requests()).as("what the service saw").isEmpty();
    }

    // row 1
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                "Content-Length: 5\r\nContent-Length: 6\r\n",
                "Content-Length: 5\r\nContent-Length: 5\r\n",
                "Content-Length: 5\r\ncontent-length: 5\r\n",
                "Content-Length: +5\r\n",
                "Content-Length: -5\r\n",
                "Content-Length: 0x5\r\n",
                "Content-Length: 5, 5\r\n",
                "Content-Length: 5 5\r\n",
                "Content-Length: 5\r\n 5\r\n",
                "Content-Length: \r\n",
                "Content-Length: 99999999999999999999\r\n",
                "Content-Length: 00005\r\n",
                "Content-Length: 05\r\n",
                "Content-Length: 5;\r\n"
            })
    void aLengthThatIsNotOneNumberIsRefused(String headers) throws IOException {
        isRefused(START + headers + "\r\nhello" + SMUGGLED, 400);
    }

    // row 1
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nContent-Length: 6\r\n",
                "Content-Length: 5\r\nContent-Length: 5\r\n",
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\n"
            })
    void http10IsNoExcuse(String headers) throws IOException {
        isRefused("POST /x HTTP/1.0\r\nHost: test\r\n" + headers + "\r\nhello" + SMUGGLED, 400);
    }

    // row 2
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip, chunked|501",
                "chunked, gzip|400",
                "gzip|400",
                "identity|400",
                "chunked, chunked|400",
                "xchunked|400",
                "chunked;q=1|400",
                "chunked,|501",
            })
    void otherTransferCodingsAreRefused(String coding, int status) throws IOException {
        isRefused(START + "Transfer-Encoding: " + coding + "\r\n\r\n0\r\n\r\n" + SMUGGLED, status);
    }

    // row 2
    @Test
    void aTransferCodingHiddenByASpaceOrAFoldIsRefused() throws IOException {
        isRefused(START + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + SMUGGLED, 400);
        isRefused(START + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + SMUGGLED, 400);
        isRefused(START + "Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n" + SMUGGLED, 400);
    }

    // row 3
    @ParameterizedTest
    @ValueSource(strings = {"chunked", "Chunked", "CHUNKED"})
    void chunkedIsChunkedInAnyCase(String coding) throws IOException {
        String request = START + "Transfer-Encoding: " + coding + "\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
        assertThat(gateway.send(request).body()).isEqualTo("hello");
        assertThat(service.requests()).hasSize(1);
    }

    @Test
    void aFoldThatComesInPiecesIsRefused() throws Exception {
        service.now((head, connection) -> connection.readBody(head, false));
        try (RawClient client = gateway.client()) {
            client.send(START + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-Real-IP: 1\r\n");
            Thread.sleep(50);
            client.send(" Content-Length: 4\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(400);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 8\r\n\r\n a\r\n b\r\n",
                "Transfer-Encoding: chunked\r\n\r\n8\r\n a\r\n b\r\n\r\n0\r\nX-Foo: 1\r\n\r\n"
            })
    void aBodyMayHaveLinesThatBeginWithASpace(String body) throws IOException {
        service.now(
                (head, connection) -> connection.send(ScriptedService.answer(200, connection.readBody(head, false))));
        assertThat(gateway.send(START + body).body()).isEqualTo(" a\r\n b\r\n");
    }

    // row 4
    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\nhello\r\n0\r\n\r\n",
                "5\r\nhello\r\nx\r\n",
                "5\r\nhello0\r\n\r\n",
                "5\r\nhello\r\n-1\r\n",
                "5\r\nhello\r\n0x5\r\n",
                "5\r\nhello\r\n 5\r\n",
                "5\r\nhello\r\nfffffffff\r\n",
                "5 \r\nhello\r\n0\r\n\r\n",
                "5\r\nhello\n0\r\n\r\n",
                "5\r\nhello\r\n0\r\nFoo : bar\r\n\r\n",
                "5\r\nhello\r\n0\r\nX-Real-IP: 1\r\n Content-Length: 4\r\n\r\n",
                "5\r\nhello\r\n0\r\nX-Real-IP: 1\r\n\tContent-Length: 4\r\nX-Foo: 2\r\n\r\n",
                "5\r\nhello\r\n0\r\n X-Real-IP: 1\r\n\r\n",
                "5\r\nhello\r\n0\n\n"
            })
    void aBrokenChunkIsRefused(String body) throws Exception {
        service.now((head, connection) -> {
            connection.readBody(head, false);
            connection.send(ScriptedService.answer(200, "complete"));
        });
        try (RawClient client = gateway.client()) {
            client.send(START + "Transfer-Encoding: chunked\r\n\r\n" + body);
            assertThat(client.answer().status()).isEqualTo(400);
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(gateway.awaitCount(Ending.BAD_REQUEST, 1)).isTrue();
        assertThat(gateway.count(Ending.OK)).isZero();
        assertThat(gateway.cluster().breaker().snapshot().calls()).isZero();
    }

    // row 5
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: a\r\nHost: a\r\n",
                "Host: a\r\nhost: b\r\n",
                "Host: \r\n",
                "Host: a b\r\n",
                "Host: a,b\r\n",
                "Host: a/b\r\n",
                "Host: user@a\r\n",
                "Host: a:x\r\n",
                "Host: a:99999\r\n",
                "Host: [::1\r\n",
                "Host: a:1:2\r\n"
            })
    void aHostThatIsNotOneIsRefused(String host) throws IOException {
        isRefused("GET /x HTTP/1.1\r\n" + host + "\r\n", 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"test", "test:80", "127.0.0.1:8080", "[::1]", "[::1]:8080", "a-b.example"})
    void usualHostsArePassedOn(String host) throws IOException {
        assertThat(gateway.send("GET /x HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status())
                .isEqualTo(200);
        assertThat(service.requests().get(0).header("Host")).isEqualTo(host);
    }

    // row 6
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /x HTTP/1.1\nHost: test\n\n",
                "GET /x HTTP/1.1\r\nHost: test\nFoo: bar\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: test\r\nFoo: a\u0000b\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: test\r\nFoo: a\rb\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: test\r\nFoo : b\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: test\r\nFoo\t: b\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: test\r\n: b\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: test\r\nFoo\r\n\r\n",
                "GET /x HTTP/1.1\r\n Host: test\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: test\r\nFoo: a\r\n b\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: test\r\nFoo: a\r\n\tb\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: test\r\nFo o: b\r\n\r\n"
            })
    void aMalformedHeadIsRefused(String request) throws IOException {
        isRefused(request, 400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET  /x HTTP/1.1",
                "GET /x  HTTP/1.1",
                " GET /x HTTP/1.1",
                "GET\t/x HTTP/1.1",
                "GET /x\tHTTP/1.1",
                "GET /x HTTP/1.1 ",
                "GET /x",
                "GET /x y HTTP/1.1",
                "GET\r/x HTTP/1.1",
                "GET /x http/1.1",
                "GET /x HTTP/1.10",
                "G(T /x HTTP/1.1",
                "GET x HTTP/1.1",
                "GET * HTTP/1.1",
                "GET /x#y HTTP/1.1",
                "GET /x\u0001 HTTP/1.1",
                "GET /\u00e9 HTTP/1.1"
            })
    void aMalformedRequestLineIsRefused(String line) throws IOException {
        isRefused(line + "\r\nHost: test\r\n\r\n", 400);
    }

    // row 8
    @Test
    void onlyHttp1IsServed() throws IOException {
        isRefused("GET /x HTTP/2.0\r\nHost: test\r\n\r\n", 505);
        isRefused("GET /x HTTP/0.9\r\nHost: test\r\n\r\n", 505);
        assertThat(gateway.send("GET /x HTTP/1.2\r\nHost: test\r\n\r\n").status())
                .isEqualTo(200);
        assertThat(service.requests().get(0).startLine()).isEqualTo("GET /x HTTP/1.1");
    }

    // row 10
    @Test
    void whatIsTooLongIsRefused() throws IOException {
        isRefused(
                "GET /" + "x".repeat(ClientsConfig.USUAL.sizes().requestLine()) + " HTTP/1.1\r\nHost: test\r\n\r\n",
                414);
        String headers = ("Foo: " + "x".repeat(1000) + "\r\n").repeat(Limits.HEADER_BYTES / 1000 + 1);
        isRefused("GET /x HTTP/1.1\r\nHost: test\r\n" + headers + "\r\n", 431);
    }

    @Test
    void theKeysOfAnOldWebSocketDraftAreNoBody() throws IOException {
        isRefused(
                "GET /x HTTP/1.1\r\nHost: test\r\nSec-WebSocket-Key1: 1\r\nSec-WebSocket-Key2: 2\r\n\r\nGET /smu"
                        + "ggled HTTP/1.1\r\nHost: test\r\n\r\n",
                400);
    }
}
