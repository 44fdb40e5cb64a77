package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin server in the configuration, and its token. */
class AdminReaderTest {

    private static final String TOKEN = "s3cr3t-s3cr3t-s3cr3t";
    private static final String YAML = """
            listen: 127.0.0.1:8080
            routes: [ { match: { path: /** }, cluster: a } ]
            clusters: { a: { destinations: [ "http://b" ] } }
            admin: %s
            """;

    private static CheckedConfig read(String admin) {
        return ConfigReader.parse("c.yaml", YAML.formatted(admin), Map.of("TOKEN", TOKEN, "SHORT", "s3cr3t")::get);
    }

    private static List<String> findings(String admin) {
        return read(admin).findings().stream().map(Finding::toString).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:9090", "127.1.2.3:9090", "\"[::1]:9090\"", "localhost:9090", "LOCALHOST:9090"})
    void onThisMachineItNeedsNoToken(String address) {
        assertThat(findings(address)).isEmpty();
        assertThat(findings("{ listen: " + address + " }")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.0.0.0:9090", "\"[::]:9090\"", "10.0.0.1:9090", "admin.internal:9090", "localhost.evil:9090"})
    void whereOthersReachItNeedsOne(String address) {
        String bare = address.replace("\"", "");
        String message =
                ": admin listens on " + bare + ", where others than this machine may reach it and open and close"
                        + " circuits; write admin: { listen: \"" + bare
                        + "\", token: \"${RECLOSER_ADMIN_TOKEN}\" }, or use 127.0.0.1:9090";
        assertThat(findings(address)).containsExactly("c.yaml:4:8" + message);
        assertThat(findings("{ listen: " + address + " }")).containsExactly("c.yaml:4:18" + message);
        assertThat(findings("{ listen: " + address + ", token: " + TOKEN + " }"))
                .isEmpty();
    }

    @Test
    void tokenIsReadAndSeenNowhere() {
        for (String token : List.of(TOKEN, "\"${TOKEN}\"", "aB3._~+/-aB3._~+/-==")) {
            AdminConfig admin = read("{ listen: 127.0.0.1:9090, token: " + token + " }")
                    .config()
                    .flatMap(GatewayConfig::admin)
                    .orElseThrow();
            assertThat(admin.listen()).isEqualTo(new HostPort("127.0.0.1", 9090));
            assertThat(admin.token()).contains(token.contains("$") ? TOKEN : token);
            assertThat(admin.toString()).isEqualTo("127.0.0.1:9090 with a token");
        }
        assertThat(read("127.0.0.1:9090").config().flatMap(GatewayConfig::admin))
                .contains(new AdminConfig(new HostPort("127.0.0.1", 9090), Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            { listen: 127.0.0.1:1, token: s3cr3t-s3cr3t-- } | 31: token has fewer than 16 characters, and can be guessed; use at least 16, such as what `openssl rand -hex 32` prints
            { listen: 127.0.0.1:1, token: "${SHORT}" }      | 31: token has fewer than 16 characters, and can be guessed; use at least 16, such as what `openssl rand -hex 32` prints (the value comes from ${SHORT})
            { listen: 127.0.0.1:1, token: "s3cr3t s3cr3t s3cr3t" } | 31: token has characters that no request can present; use letters, digits and '-', '.', '_', '~', '+', '/', with '=' at the end
            { listen: 127.0.0.1:1, token: [s3cr3t-s3cr3t-s3cr3t] } | 31: token is a list; write a single value
            { listen: 127.0.0.1:1, tokn: s3cr3t-s3cr3t-s3cr3t } | 24: unknown key 'tokn' in admin; did you mean 'token'?
            { token: s3cr3t-s3cr3t-s3cr3t }                     | 1: admin has no 'listen'; add listen: 127.0.0.1:9090
            { listen: 0.0.0.0:x, token: s3cr3t-s3cr3t-s3cr3t }  | 11: listen is '0.0.0.0:x' has the port 'x'; it must be from 0 to 65535
            { token: s3cr3t-s3cr3t-s3cr3t, listen: s3cr3t-s3cr3t-s3cr3t } | 40: listen is '***', which is no address; write HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080
            """)
    void whatIsWrongIsSaidWithoutTheToken(String admin, String message) {
        int column = Integer.parseInt(message.substring(0, message.indexOf(':')));
        String place = column == 1 ? "c.yaml:4:1" : "c.yaml:4:" + (column + 7);
        assertThat(findings(admin)).containsExactly(place + message.substring(message.indexOf(':')));
        assertThat(read(admin).config()).isEmpty();
    }

    @Test
    void aTokenThatIsTooLongIsAMistake() {
        assertThat(findings("{ listen: 127.0.0.1:1, token: " + "s".repeat(513) + " }"))
                .containsExactly("c.yaml:4:38: token has more than 512 characters; use from 16 to 512");
    }

    @Test
    void itsKeysAreDescribed() throws IOException {
        assertThat(findings("{ listen: 127.0.0.1:1, qqqqqqqq: 1 }"))
                .singleElement()
                .asString()
                .endsWith("; the keys are "
                        + String.join(
                                ", ", DestinationsDocumentTest.rows("admin").keySet()));
        assertThat(DestinationsDocumentTest.rows("admin").get("token").get(3)).startsWith("from 16 to 512 characters");
    }

    @Test
    void anotherTokenIsAnotherConfiguration() {
        GatewayConfig one =
                read("{ listen: 127.0.0.1:1, token: " + TOKEN + " }").config().orElseThrow();
        GatewayConfig other =
                read("{ listen: 127.0.0.1:1, token: " + TOKEN + "x }").config().orElseThrow();
        assertThat(ConfigChanges.between(one, other).fixed()).containsExactly("admin");
    }
}
