package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What crosses the gateway and what does not. */
@ExtendWith(LeakCheck.class)
class HeadersTest {

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

    private Received sent(String... headers) throws IOException {
        assertThat(gateway.send("GET /x HTTP/1.1\r\nHost: test\r\n" + String.join("", headers) + "\r\n")
                        .status())
                .isEqualTo(200);
        return service.requests().get(service.requests().size() - 1);
    }

    // row 11
    @Test
    void whatBelongsToTheConnectionDoesNotReachTheService() throws IOException {
        Received request = sent(
                "Connection: X-Foo, keep-alive\r\nX-Foo: 1\r\nProxy-Connection: keep-alive\r\n",
                "HTTP2-Settings: AAMAAABk\r\n",
                "Keep-Alive: timeout=5\r\nTE: gzip\r\nUpgrade: websocket\r\nProxy-Authorization: Basic eA==\r\n",
                "connection: x-bar\r\nX-BAR: 2\r\nX-Kept: 3\r\n");
        assertThat(request.head().toLowerCase(Locale.ROOT))
                .doesNotContain(
                        "\r\nconnection:",
                        "x-foo",
                        "x-bar",
                        "proxy-connection",
                        "keep-alive",
                        "\r\nte:",
                        "upgrade",
                        "http2-settings",
                        "proxy-authorization");
        assertThat(request.header("X-Kept")).isEqualTo("3");
    }

    // row 11
    @ParameterizedTest
    @ValueSource(strings = {"keep-alive", "close"})
    void everyConnectionLineCountsWhateverTheFirstOneSays(String first) throws IOException {
        String lines = "Connection: " + first + "\r\nConnection: X-Foo\r\nX-Foo: 1\r\n";
        service.now(ScriptedService.always("HTTP/1.1 200 OK\r\n" + lines + "Content-Length: 0\r\n\r\n"));
        Received answer = gateway.send("GET /x HTTP/1.1\r\nHost: test\r\n" + lines + "\r\n");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.has("X-Foo")).isFalse();
        assertThat(service.requests().get(0).has("X-Foo")).isFalse();
    }

    // row 11
    @Test
    void aClientThatTakesTrailersStillDoes() throws IOException {
        Received request = sent("TE: gzip, trailers\r\nConnection: TE\r\n");
        assertThat(request.header("TE")).isEqualTo("trailers");
        assertThat(request.header("Connection")).isEqualTo("te");
    }

    // row 11
    @Test
    void namingWhatAMessageNeedsTakesNothingAway() throws IOException {
        gateway.send(
                "POST /x HTTP/1.1\r\nHost: test\r\nConnection: Host, Content-Length\r\nContent-Length: 2\r\n\r\nhi");
        Received request = service.requests().get(0);
        assertThat(request.header("Host")).isEqualTo("test");
        assertThat(request.header("Content-Length")).isEqualTo("2");
    }

    // row 12
    @Test
    void forwardedHeadersAreTheGatewaysOwn() throws IOException {
        Received request = sent(
                "Connection: X-Forwarded-For, X-Forwarded-Host, Via\r\nX-Forwarded-For: 6.6.6.6\r\n",
                "X-Forwarded-For: 7.7.7.7\r\nX-Forwarded-Host: evil\r\nX-Forwarded-Proto: https\r\n",
                "Forwarded: for=6.6.6.6\r\n");
        assertThat(request.all("X-Forwarded-For")).containsExactly("127.0.0.1");
        assertThat(request.all("X-Forwarded-Host")).containsExactly("test");
        assertThat(request.all("X-Forwarded-Proto")).containsExactly("http");
        assertThat(request.has("Forwarded")).isFalse();
        assertThat(request.all("Via")).containsExactly("1.1 recloser");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X_Forwarded_For",
                "x_forwarded-for",
                "X-Forwarded_Host",
                "X_FORWARDED_PROTO",
                "Content_Length",
                "Transfer_Encoding"
            })
    void whatAServiceMayTakeForTheGatewaysOwnHeaderIsDropped(String name) throws IOException {
        Received request = sent(name + ": 1\r\n" + name + ": 2\r\nX_Kept: 3\r\n");
        assertThat(request.has(name)).isFalse();
        assertThat(request.header("X_Kept")).isEqualTo("3");
        assertThat(request.all("X-Forwarded-For")).containsExactly("127.0.0.1");
    }

    @Test
    void viaIsAddedBothWays() throws IOException {
        service.now(ScriptedService.always(
                "HTTP/1.1 200 OK\r\nVia: 1.1 inner\r\nServer: s\r\nDate: d\r\nContent-Length: 0\r\n\r\n"));
        Received answer = gateway.send("GET /x HTTP/1.0\r\nVia: 1.1 outer\r\n\r\n");
        assertThat(answer.all("Via")).containsExactly("1.1 inner", "1.1 recloser");
        assertThat(answer.header("Server")).isEqualTo("s");
        assertThat(answer.header("Date")).isEqualTo("d");
        Received request = service.requests().get(0);
        assertThat(request.all("Via")).containsExactly("1.1 outer", "1.0 recloser");
        assertThat(request.startLine()).isEqualTo("GET /x HTTP/1.1");
        assertThat(request.header("Host")).isEqualTo("127.0.0.1:" + service.port());
    }

    @Test
    void whatBelongsToTheConnectionDoesNotReachTheClient() throws IOException {
        service.now(ScriptedService.always(String.join(
                "\r\n",
                "HTTP/1.1 200 OK",
                "Connection: X-Foo",
                "X-Foo: 1",
                "Keep-Alive: timeout=5",
                "Proxy-Authenticate: Basic",
                "Upgrade: h2c",
                "X-Kept: caf\u00e9",
                "Content-Length: 0",
                "\r\n")));
        Received answer = gateway.get("/x");
        assertThat(answer.head().toLowerCase(Locale.ROOT))
                .doesNotContain("x-foo", "keep-alive", "proxy-authenticate", "upgrade", "connection");
        assertThat(answer.header("X-Kept")).isEqualTo("caf\u00e9");
    }

    // row 13
    @Test
    void closingByTheClientDoesNotCloseTheConnectionToTheService() throws IOException {
        for (int i = 0; i < 100; i++) {
            Received answer = gateway.send("GET /x HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(answer.header("Connection")).isEqualTo("close");
        }
        assertThat(service.connections())
                .isLessThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void http10IsKeptAliveOnlyIfAsked() throws IOException {
        try (RawClient client = gateway.client()) {
            client.send("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            assertThat(client.answer().header("Connection")).isEqualTo("keep-alive");
            client.send("GET /x HTTP/1.0\r\n\r\n");
            assertThat(client.answer().header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        service.now((head, connection) -> connection.send(ScriptedService.answer(200, head.target())));
        try (RawClient client = gateway.client()) {
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                requests.append(i % 3 == 0 ? "TRACE" : "GET")
                        .append(" /")
                        .append(i)
                        .append(" HTTP/1.1\r\nHost: test\r\n\r\n");
            }
            client.send(requests.toString());
            for (int i = 0; i < 200; i++) {
                Received answer = client.answer();
                assertThat(answer.status()).isEqualTo(i % 3 == 0 ? 405 : 200);
                assertThat(answer.body()).contains(i % 3 == 0 ? "method" : "/" + i);
            }
        }
    }
}
