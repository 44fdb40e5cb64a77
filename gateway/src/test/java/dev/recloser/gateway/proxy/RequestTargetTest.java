package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.ClientsConfig;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The path that is matched is the path that is sent on, byte for byte. */
@ExtendWith(LeakCheck.class)
class RequestTargetTest {

    private ScriptedService accounts;
    private ScriptedService admin;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        accounts = ScriptedService.answering(ScriptedService.answer(200, "accounts"));
        admin = ScriptedService.answering(ScriptedService.answer(200, "admin"));
        gateway = TestGateway.of(settings());
    }

    private TestGateway.Settings settings() {
        return new TestGateway.Settings()
                .cluster("accounts", accounts)
                .cluster("admin", admin)
                .route("/admin/**", "admin")
                .route("/accounts/**", "accounts")
                .route("/public/**", "accounts");
    }

    private void allowEncodedSlashes() {
        ClientsConfig usual = ClientsConfig.USUAL;
        gateway.gateway()
                .reload(settings()
                        .route("/a%2Fb", "admin")
                        .clients(new ClientsConfig(usual.connections(), usual.times(), usual.sizes(), true, false))
                        .config());
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        accounts.close();
        admin.close();
    }

    // row 25
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/accounts/../admin",
                "/accounts/%2e%2e/admin",
                "/accounts/.%2E/admin",
                "/accounts/%2E./admin",
                "/public/..%2fadmin",
                "/public/..%2Fadmin",
                "/public/..%5cadmin",
                "/public/..\\admin",
                "/public/a%2fb",
                "/accounts/..;/admin",
                "/accounts/..;x=y/admin",
                "/accounts/%2e%2e%3b/admin",
                "/accounts/./x",
                "/accounts/.",
                "/accounts/..",
                "/..",
                "/accounts/%00",
                "/accounts/%0a",
                "/accounts/%7f",
                "/accounts/%zz",
                "/accounts/%2",
                "/accounts/%"
            })
    void aPathThatCouldBeReadAsAnotherIsRefused(String path) throws IOException {
        Received answer = gateway.get(path);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(accounts.requests()).isEmpty();
        assertThat(admin.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/accounts/a%2fb",
                "/accounts/a%2Fb%2fc/%2f",
                "/accounts/%2f%2f.x%2f..x%2f...",
                "/accounts/a%2f?b=%2f..%2f"
            })
    void anEncodedSlashIsSentAsItCameWhereItIsAllowed(String path) throws IOException {
        assertThat(gateway.get(path).status()).isEqualTo(400);
        allowEncodedSlashes();
        assertThat(gateway.get(path).body()).isEqualTo("accounts");
        assertThat(accounts.requests().get(0).target()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/public/..%2fadmin",
                "/public%2f../admin",
                "/public/a%2f..",
                "/public/a%2F%2e%2E%2fadmin",
                "/public/a%2f..;x",
                "/public/a%2f.%2fb",
                "/public/a%2f.",
                "/public/a%5cb",
                "/public/a%2f..%5cb",
                "/public/a%2f\\b",
                "/public/a%2"
            })
    void whatIsAPathToElsewhereIsRefusedNevertheless(String path) throws IOException {
        allowEncodedSlashes();
        assertThat(gateway.get(path).status()).isEqualTo(400);
        assertThat(accounts.requests()).isEmpty();
        assertThat(admin.requests()).isEmpty();
    }

    @Test
    void anEncodedSlashIsNoSlashWherePathsAreMatched() throws IOException {
        allowEncodedSlashes();
        assertThat(gateway.get("/admin%2fx").status()).isEqualTo(404);
        assertThat(gateway.get("/a/b").status()).isEqualTo(404);
        assertThat(gateway.get("/a%2fb").status()).isEqualTo(404);
        assertThat(gateway.get("/a%2Fb").body()).isEqualTo("admin");
    }

    // row 25
    @ParameterizedTest
    @ValueSource(strings = {"//admin", "/%61dmin", "/Admin", "/admin;x", "/adminx", "/"})
    void whatIsSpelledOtherwiseMatchesNothing(String path) throws IOException {
        Received answer = gateway.get(path);
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.body()).contains("\"reason\":\"no-route\"");
        assertThat(admin.requests()).isEmpty();
    }

    // row 25
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/accounts",
                "/accounts/",
                "/accounts//x",
                "/accounts/%61%20b",
                "/accounts/...",
                "/accounts/.hidden/a..b/..c",
                "/accounts/%252e%252e/x",
                "/accounts/x?y=../z&a=%2f..%2f&b=\\",
                "/accounts?x"
            })
    void thePathIsSentAsItCame(String path) throws IOException {
        assertThat(gateway.get(path).body()).isEqualTo("accounts");
        assertThat(accounts.requests().get(0).target()).isEqualTo(path);
    }

    // row 7
    @ParameterizedTest
    @ValueSource(strings = {"TRACE /accounts", "CONNECT test:80"})
    void methodsThatAreNotServed(String start) throws IOException {
        try (RawClient client = gateway.client()) {
            client.send(start + " HTTP/1.1\r\nHost: test\r\n\r\n");
            Received answer = client.answer();
            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.header("Allow")).contains("GET", "POST").doesNotContain("TRACE");
            assertThat(client.get("/accounts").answer().status()).isEqualTo(200);
        }
    }

    // row 9
    @Test
    void anAbsoluteTargetIsSentInOriginForm() throws IOException {
        String rest = " HTTP/1.1\r\nHost: other\r\n\r\n";
        assertThat(gateway.send("GET http://real.example:81/accounts/x?y" + rest)
                        .status())
                .isEqualTo(200);
        Received request = accounts.requests().get(0);
        assertThat(request.target()).isEqualTo("/accounts/x?y");
        assertThat(request.all("Host")).containsExactly("real.example:81");
        assertThat(request.header("X-Forwarded-Host")).isEqualTo("real.example:81");
        assertThat(gateway.send("GET HTTP://real.example" + rest).status()).isEqualTo(404);
        assertThat(gateway.send("GET http://real.example/accounts/../admin" + rest)
                        .status())
                .isEqualTo(400);
        assertThat(gateway.send("GET http:///accounts" + rest).status()).isEqualTo(400);
        assertThat(gateway.send("GET http://u@real.example/accounts" + rest).status())
                .isEqualTo(400);
        assertThat(gateway.send("GET ftp://real.example/accounts" + rest).status())
                .isEqualTo(400);
    }
}
