package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 over TLS, spoken by an nginx that says goodbye to a connection after a few requests, or because it is told to reload. */
class Http2FaultsTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";
    private static final int REQUESTS = 40;

    private static final String SERVERS = """
            server {
                listen 127.0.0.1:${port} ssl http2;
                server_name localhost;
                ssl_certificate ${certificate};
                ssl_certificate_key ${certificate};
                ${keepalive}
                location = / { return 200 "fine"; }
                location = /busy { return 503 "busy"; }
                location = /missing { return 404 "missing"; }
            }
            """;

    private static Certificate certificate;

    @TempDir
    Path folder;

    @BeforeAll
    static void createCertificate(@TempDir Path keys) throws Exception {
        certificate = Certificate.create(keys);
    }

    private ServerProcess nginx(String keepalive) throws IOException {
        return toClose(ServerProcess.nginx(
                folder,
                SERVERS.replace("${certificate}", certificate.file().toString()).replace("${keepalive}", keepalive)));
    }

    private RecloserHttpClient client() throws Exception {
        return quick().sslContext(certificate.trusting()).build();
    }

    private static void assertFine(HttpResponse<String> response) {
        assertThat(response.version()).isEqualTo(Version.HTTP_2);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("fine");
    }

    private static long connections(List<String> requests) {
        return requests.stream()
                .map(line -> line.substring(line.indexOf("connection=")))
                .distinct()
                .count();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void outcomesAreThoseOfTheTable(SendMode mode) throws Exception {
        ServerProcess nginx = nginx("");
        RecloserHttpClient client = client();
        HttpRequest busy = get(nginx.secureUri("/busy"));
        HttpResponse<String> response = mode.send(client, busy, BodyHandlers.ofString());
        assertThat(response.version()).isEqualTo(Version.HTTP_2);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("busy");
        assertThat(circuit(client, busy).failures()).isEqualTo(3);
        assertThat(mode.send(client, get(nginx.secureUri("/missing")), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(404);
        assertFine(mode.send(client, get(nginx.secureUri("/")), BodyHandlers.ofString()));
        assertThat(circuit(client, busy).calls()).isEqualTo(5);
        assertThat(circuit(client, busy).failures()).isEqualTo(3);
        List<String> requests = nginx.awaitRequests(5);
        assertThat(requests).hasSize(5).allMatch(line -> line.contains("HTTP/2"));
        assertThat(connections(requests)).as("connections").isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void goodbyeAfterAFewRequestsGoesUnnoticed(SendMode mode) throws Exception {
        ServerProcess nginx = nginx("keepalive_requests 3;");
        RecloserHttpClient client = client();
        HttpRequest request = get(nginx.secureUri("/"));
        for (int i = 0; i < REQUESTS; i++) {
            assertFine(mode.send(client, request, BodyHandlers.ofString()));
        }
        List<String> requests = nginx.awaitRequests(REQUESTS);
        assertThat(requests)
                .as("older JDKs' clients repeat by themselves what a goodbye has cut")
                .hasSizeGreaterThanOrEqualTo(REQUESTS);
        assertThat(connections(requests)).as("connections").isGreaterThanOrEqualTo(REQUESTS / 3);
        assertThat(circuit(client, request).calls() - circuit(client, request).failures())
                .as("successes")
                .isEqualTo(REQUESTS);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void requestThatMustNotBeRepeatedReachesTheServerOnceAtMostWhateverTheGoodbyes(SendMode mode) throws Exception {
        ServerProcess nginx = nginx("keepalive_requests 3;");
        RecloserHttpClient client = client();
        HttpRequest request = HttpRequest.newBuilder(nginx.secureUri("/"))
                .POST(BodyPublishers.ofString("order"))
                .build();
        int answered = 0;
        for (int i = 0; i < REQUESTS; i++) {
            SendMode.Sent<String> sent = mode.start(client, request, BodyHandlers.ofString());
            try {
                assertFine(sent.future().get(30, TimeUnit.SECONDS));
                answered++;
            } catch (ExecutionException cut) {
                assertThat(cut).hasCauseInstanceOf(IOException.class);
            }
        }
        assertThat(nginx.awaitRequests(answered)).hasSizeBetween(answered, REQUESTS);
        assertThat(circuit(client, request).calls()).isEqualTo(REQUESTS);
        assertThat(circuit(client, request).failures()).isEqualTo(REQUESTS - answered);
        assertThat(retries(client, request)).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void goodbyeToManyRequestsAtATimeIsMadeUpForByRetries(SendMode mode) throws Exception {
        ServerProcess nginx = nginx("keepalive_requests 4;");
        RecloserHttpClient client = quick().sslContext(certificate.trusting())
                .pipeline(
                        standard -> standard.retry(retry -> retry.maxRetries(10).constantDelay(Duration.ofMillis(10))))
                .build();
        HttpRequest request = get(nginx.secureUri("/"));
        List<SendMode.Sent<String>> sent = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            sent.add(mode.start(client, request, BodyHandlers.ofString()));
        }
        for (SendMode.Sent<String> each : sent) {
            assertFine(each.get());
        }
        assertThat(circuit(client, request).calls() - circuit(client, request).failures())
                .as("successes")
                .isEqualTo(REQUESTS);
        assertThat(circuit(client, request).failures())
                .as("failures, each retried")
                .isEqualTo(retries(client, request));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void reloadOfTheServerGoesUnnoticed(SendMode mode) throws Exception {
        ServerProcess nginx = nginx("");
        RecloserHttpClient client = client();
        HttpRequest request = get(nginx.secureUri("/"));
        for (int i = 0; i < REQUESTS; i++) {
            if (i == REQUESTS / 2) {
                nginx.reload();
            }
            assertFine(mode.send(client, request, BodyHandlers.ofString()));
        }
        assertThat(nginx.awaitRequests(REQUESTS).size()).isGreaterThanOrEqualTo(REQUESTS);
        assertThat(circuit(client, request).state()).hasToString("CLOSED");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void certificateThatIsNotTrustedIsAFailureOfEachAttempt(SendMode mode) throws Exception {
        ServerProcess nginx = nginx("");
        RecloserHttpClient client = quickClient();
        HttpRequest request = get(nginx.secureUri("/"));
        // An SSLException, or that the channel is closed: which of the two depends on the thread of the JDK that comes
        // first.
        assertThat(mode.start(client, request, BodyHandlers.ofString()).error()).isInstanceOf(IOException.class);
        assertThat(circuit(client, request).failures()).isEqualTo(3);
    }
}
