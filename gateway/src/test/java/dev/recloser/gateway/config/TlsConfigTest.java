package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.proxy.TestIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a configuration says of TLS, and the files that it names for that. */
class TlsConfigTest {

    @TempDir
    static Path directory;

    private static TestIdentity own;

    @BeforeAll
    static void makeFiles() throws Exception {
        own = new TestIdentity(directory, "own", "EC", "dns:localhost");
        TestIdentity other = new TestIdentity(directory, "other", "RSA", "dns:localhost");
        String key = Files.readString(own.keyFile());
        write("encrypted.key", key.replace("PRIVATE", "ENCRYPTED PRIVATE"));
        write("old.key", Files.readString(other.keyFile()).replace("PRIVATE", "RSA PRIVATE"));
        write("damaged.key", key.replaceAll("\n[^-].", "\nAA"));
        write("damaged.pem", Files.readString(own.certificateFile()).replaceAll("\n[^-].", "\nAA"));
        write("empty.pem", "");
    }

    private static void write(String name, String content) throws IOException {
        Files.writeString(directory.resolve(name), content);
    }

    private static CheckedConfig parse(String listenerTls, String clusterSettings) {
        String yaml = """
                listen: 127.0.0.1:8080
                %s
                routes: [ { match: { path: /** }, cluster: a } ]
                clusters:
                  a:
                    destinations: [ "https://127.0.0.1:9101", "https://[::1]" ]
                    %s
                """.formatted(listenerTls, clusterSettings.replace("http2, ", "http2\n    "));
        return ConfigReader.parse(directory.resolve("gw.yaml").toString(), yaml);
    }

    private static List<String> findings(String listenerTls, String clusterSettings) {
        String place = directory.resolve("gw.yaml").toString();
        return parse(listenerTls, clusterSettings).findings().stream()
                .map(finding -> finding.toString().replace(place, "gw").replace(directory + "/", ""))
                .toList();
    }

    @Test
    void filesBesideTheConfigurationAreRead() {
        GatewayConfig config = parse(
                        "tls: { certificate: own.pem, key: own.key, client-ca: other.pem }",
                        "tls: { ca: own.pem, server-name: Accounts.Internal, certificate: other.pem, key: other.key }")
                .config()
                .orElseThrow();
        ListenerTls listener = config.tls().orElseThrow();
        assertThat(listener.identity().chain()).containsExactly(own.certificate());
        assertThat(listener.identity().key()).isEqualTo(own.key());
        assertThat(listener.clientAuthorities()).isPresent();
        ClusterConfig cluster = config.clusters().get("a");
        DestinationTls tls = cluster.upstream().tls();
        assertThat(tls.authorities().orElseThrow().certificates()).containsExactly(own.certificate());
        assertThat(tls.serverName()).contains("accounts.internal");
        assertThat(tls.identity()).isPresent();
        assertThat(cluster.destinations().stream().map(DestinationConfig::url))
                .containsExactly("https://127.0.0.1:9101", "https://[::1]:443");
        assertThat(config.files().stream().map(directory::relativize).map(Path::toString))
                .containsExactlyInAnyOrder("own.pem", "own.key", "other.pem", "other.key");
    }

    /** Those that expire first come last, and belong to nobody else. */
    @Test
    void itIsKnownWhenTheFirstCertificateOfEachFileExpires() throws Exception {
        TestIdentity authority = new TestIdentity(directory, "authority", "EC", "dns:authority", 10);
        write("chain.pem", Files.readString(own.certificateFile()) + Files.readString(authority.certificateFile()));
        String chain = "tls: { certificate: chain.pem, key: own.key }";
        GatewayConfig config = parse(chain, "tls: { certificate: other.pem, key: other.key }")
                .config()
                .orElseThrow();
        Instant first = authority.certificate().getNotAfter().toInstant();
        assertThat(config.certificateEnds())
                .containsOnlyKeys(directory.resolve("chain.pem"), directory.resolve("other.pem"))
                .containsEntry(directory.resolve("chain.pem"), first);
        assertThat(findings(chain, chain))
                .containsExactly(
                        "gw:2:21: warning: the certificate of an authority behind it expires on " + first
                                + "; renew it",
                        "gw:7:25: warning: the certificate of an authority behind it expires on " + first
                                + "; renew it");
        assertThat(parse(chain, chain).config().orElseThrow().certificateEnds()).hasSize(1);
    }

    @Test
    void noSecretIsInWhatAConfigurationSaysOfItself() {
        GatewayConfig config = parse("tls: { certificate: own.pem, key: own.key }", "timeout: 1s")
                .config()
                .orElseThrow();
        String text = config.toString();
        assertThat(text).contains("own.pem").doesNotContain("PrivateKey", "private");
    }

    @Test
    void otherContentsOfTheSameFilesAreAnotherConfiguration() throws Exception {
        Path renewed = Files.createDirectory(directory.resolve("renewed"));
        Files.copy(own.certificateFile(), renewed.resolve("c.pem"));
        Files.copy(own.keyFile(), renewed.resolve("c.key"));
        String tls = "tls: { certificate: renewed/c.pem, key: renewed/c.key }";
        String ofCluster = "tls: { ca: renewed/c.pem }";
        GatewayConfig before = parse(tls, ofCluster).config().orElseThrow();
        assertThat(parse(tls, ofCluster).config()).contains(before);
        TestIdentity next = new TestIdentity(renewed, "next", "EC", "dns:localhost");
        Files.write(renewed.resolve("c.pem"), Files.readAllBytes(next.certificateFile()));
        Files.write(renewed.resolve("c.key"), Files.readAllBytes(next.keyFile()));
        ConfigChanges changes =
                ConfigChanges.between(before, parse(tls, ofCluster).config().orElseThrow());
        assertThat(changes.describe()).isEqualTo("cluster a changed; tls changed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', textBlock = """
            certificate: none.pem, key: own.key      | gw:2:21: certificate: none.pem does not exist
            certificate: own.pem, key: none.key      | gw:2:35: key: none.key does not exist
            certificate: own.pem                     | gw:2:1: tls has no 'key'; add key: server.key
            key: own.key                             | gw:2:1: tls has no 'certificate'; add certificate: server.pem
            certificate: own.key, key: own.key       | gw:2:21: certificate: own.key has no certificates that can be read; it must be PEM, with '-----BEGIN CERTIFICATE-----'
            certificate: empty.pem, key: own.key     | gw:2:21: certificate: empty.pem has no certificate; it must be PEM, with '-----BEGIN CERTIFICATE-----'
            certificate: damaged.pem, key: own.key   | gw:2:21: certificate: damaged.pem has no certificates that can be read; it must be PEM, with '-----BEGIN CERTIFICATE-----'
            certificate: own.pem, key: own.pem       | gw:2:35: key: own.pem has no private key; it must be PEM, with '-----BEGIN PRIVATE KEY-----'
            certificate: own.pem, key: damaged.key   | gw:2:35: key: damaged.key has a key that is damaged, or neither RSA, EC nor EdDSA
            certificate: own.pem, key: encrypted.key | gw:2:35: key: encrypted.key has an encrypted key; decrypt it with: openssl pkcs8 -in encrypted.key -out NEW
            certificate: own.pem, key: old.key       | gw:2:35: key: old.key has its key in the form 'RSA PRIVATE KEY'; convert it with: openssl pkcs8 -topk8 -nocrypt -in old.key -out NEW
            certificate: own.pem, key: other.key     | gw:2:35: the key does not belong to the certificate; give the key with which the first certificate of the file was requested
            """)
    void aMistakeWithAFileIsSaidAtItsPlace(String settings, String finding) {
        assertThat(findings("tls: { " + settings + " }", "timeout: 1s")).containsExactly(finding);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', textBlock = """
            protocol: http3                 | gw:7:15: protocol is 'http3', which there is not; did you mean 'http1'?
            tls: { verify: maybe }          | gw:7:20: verify is 'maybe'; write true or false
            tls: { server-name: a b }       | gw:7:25: server-name is 'a b', which is no name; write one such as example.com
            tls: { certificate: own.pem }   | gw:7:5: tls has no 'key'; add key: server.key
            health-check: { grpc-service: x } | gw:7:35: grpc-service needs HTTP/2; add protocol: http2 to the cluster, or ask for a path
            protocol: http2, health-check: { grpc-service: x, path: /y } | gw:8:44: path does not go with grpc-service, which asks by gRPC; leave one of them out
            protocol: http2, max-connections: 7 | gw:8:5: max-connections does not go with protocol: http2, where requests share connections; use concurrency-limit
            tls: { ca: none.pem }           | gw:7:16: ca: none.pem does not exist
            tls: { verify: false }          | gw:7:20: warning: verify is false: whoever gets between the gateway and a destination reads and changes what they say; give the authority of its certificate with ca
            """)
    void whatIsWrongOrUnwiseInAClusterIsSaid(String settings, String finding) {
        assertThat(findings("", settings)).containsExactly(finding);
    }

    @Test
    void theExampleOfTheDocumentCanBeRead() throws Exception {
        String document = Files.readString(Path.of("../docs/gateway.md"));
        int start = document.indexOf("```yaml skip\n") + "```yaml skip\n".length();
        String example = document.substring(start, document.indexOf("```", start));
        Path tls = Files.createDirectory(directory.resolve("tls"));
        Files.copy(own.certificateFile(), tls.resolve("fullchain.pem"));
        Files.copy(own.keyFile(), tls.resolve("privkey.pem"));
        Files.copy(own.certificateFile(), tls.resolve("internal-ca.pem"));
        CheckedConfig checked = ConfigReader.parse(directory.resolve("gw.yaml").toString(), example);
        assertThat(checked.findings()).isEmpty();
        assertThat(checked.config().orElseThrow().tls()).isPresent();
    }
}
