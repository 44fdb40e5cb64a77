package dev.recloser.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.gateway.config.AdminConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.metrics.Exposition;
import dev.recloser.gateway.proxy.LatencySnapshot;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An admin server with a token: whoever reaches it may look, and only who presents the token may change anything. */
class AdminTokenTest {

    private static final String TOKEN = "0123456789abcdefABCDEF";

    private final HttpClient client = HttpClient.newHttpClient();
    private CircuitBreaker breaker;
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        GatewayConfig config =
                ConfigReader.parse("c.yaml", """
                listen: 127.0.0.1:0
                admin: { listen: 127.0.0.1:0, token: %s }
                routes: [ { match: { path: /** }, cluster: accounts } ]
                clusters: { accounts: { destinations: [ "http://127.0.0.1:9101" ] } }
                """.formatted(TOKEN)).config().orElseThrow();
        var cluster = config.clusters().get("accounts");
        breaker = CircuitBreaker.of("accounts", cluster.circuitBreaker(), TimeSource.system());
        Circuit circuit =
                new Circuit(cluster, breaker, List::of, Map::of, () -> 0, () -> 0, () -> LatencySnapshot.EMPTY);
        AdminConfig admin = config.admin().orElseThrow();
        server = AdminServer.start(
                admin, List.of(circuit), () -> false, accept -> new Exposition("text/plain", ""), () -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> send(String method, String path, String... headers) throws Exception {
        return AdminRequest.send(client, server, method, path, headers);
    }

    private HttpResponse<String> isolate(String... headers) throws Exception {
        return send("POST", "/circuits/accounts/isolate", headers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/healthz", "/readyz", "/metrics", "/circuits", "/circuits/accounts"})
    void toLookNeedsNoToken(String path) throws Exception {
        assertThat(send("GET", path).statusCode()).isEqualTo(200);
    }

    @Test
    void toChangeNeedsTheToken() throws Exception {
        HttpResponse<String> refused = isolate();
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(refused.body()).contains("needs the admin token");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(isolate("Authorization", "Bearer " + TOKEN).statusCode()).isEqualTo(200);
        assertThat(breaker.state()).isEqualTo(CircuitState.ISOLATED);
        assertThat(send("POST", "/circuits/accounts/close").statusCode()).isEqualTo(401);
        assertThat(breaker.state()).isEqualTo(CircuitState.ISOLATED);
        assertThat(send("POST", "/circuits/accounts/close", "Authorization", "bearer  " + TOKEN)
                        .statusCode())
                .isEqualTo(200);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer 0123456789abcdefABCDEG",
                "Bearer 0123456789abcdefABCDE",
                "Bearer 0123456789abcdefABCDEFF",
                "Bearer 0123456789abcdefabcdef",
                "Bearer",
                "Bearer a b",
                "Basic 0123456789abcdefABCDEF",
                "0123456789abcdefABCDEF"
            })
    void anotherTokenIsRefusedAndNotSaidAgain(String credentials) throws Exception {
        HttpResponse<String> refused = isolate("Authorization", credentials);
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer error=\"invalid_token\"");
        assertThat(refused.body()).contains("not the admin token").doesNotContain("0123");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void twoTokensAreNone() throws Exception {
        String right = "Bearer " + TOKEN;
        assertThat(isolate("Authorization", right, "Authorization", right).statusCode())
                .isEqualTo(401);
    }

    @Test
    void aPageOfSomebodyElseMayNotChangeAnythingWithTheTokenEither() throws Exception {
        HttpResponse<String> refused = isolate("Authorization", "Bearer " + TOKEN, "Origin", "http://evil.example");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }
}
