package dev.recloser.gateway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The demo, played with a short break at a high pace. */
@Timeout(60)
@Tag("once")
class DemoTest {

    private static final DemoOptions QUICK =
            new DemoOptions(0, 0, 0, 0, Duration.ofSeconds(5), Duration.ofMillis(20), false);

    private final StringWriter told = new StringWriter();
    private final PrintWriter out = new PrintWriter(told);

    @Test
    void incidentGoesAsItShouldAndIsToldInOrderInNarrowPlainLines() throws Exception {
        try (Demo demo = Demo.start(QUICK, out)) {
            assertThat(demo.playIncident()).as(told.toString()).isTrue();
            demo.invite();
        }
        assertThat(told.toString().lines())
                .allSatisfy(
                        line -> assertThat(line).hasSizeLessThanOrEqualTo(80).matches("\\p{Print}*"));
        assertThat(told.toString())
                .containsSubsequence(
                        "The dashboard shows it as it happens: http://127.0.0.1:",
                        "1. All is well",
                        "GET /accounts/1    200  from account-service",
                        "2. account-service begins to fail",
                        "500  from account-service, 5 of 10 failed",
                        ">> account-service CLOSED -> OPEN",
                        "50 % of 10 calls failed; next probe in 5 s",
                        "503  from the gateway, Retry-After: ",
                        "200  from transfer-service",
                        "0 of these 4 calls reached account-service",
                        ">> account-service OPEN -> HALF_OPEN",
                        ">> account-service HALF_OPEN -> OPEN",
                        "the probe failed; next probe in 5 s",
                        ">> account-service HALF_OPEN -> CLOSED",
                        "checks of it hold",
                        "see the incident on the dashboard");
    }

    @Test
    void servicesAreBrokenAndHealedByTheirSwitch() throws Exception {
        try (DemoService service = DemoService.start("s", 0)) {
            assertThat(send(service, "GET", "/a").body()).isEqualTo("s: call 1, GET /a\n");
            assertThat(send(service, "POST", "/fault?mode=error").body()).isEqualTo("s now answers 500\n");
            assertThat(send(service, "GET", "/a").statusCode()).isEqualTo(500);
            assertThat(send(service, "GET", "/fault").body()).isEqualTo("s answers 500 (fault error)\n");
            assertThat(send(service, "POST", "/fault?mode=none").statusCode()).isEqualTo(200);
            assertThat(send(service, "GET", "/a").statusCode()).isEqualTo(200);
            assertThat(send(service, "POST", "/fault?mode=fire").statusCode()).isEqualTo(400);
            assertThat(service.calls()).isEqualTo(3);
        }
    }

    @Test
    void portThatIsTakenIsReplacedAndThatIsTold() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            DemoOptions options = new DemoOptions(port, port, port, port, QUICK.breakDuration(), QUICK.pace(), false);
            Demo.start(options, out).close();
            assertThat(told.toString())
                    .contains("Port " + port + " is taken; the gateway is at ")
                    .contains("Port " + port + " is taken; the admin server is at ")
                    .contains("Port " + port + " is taken; account-service is at ")
                    .contains("Port " + port + " is taken; transfer-service is at ");
        }
    }

    @Test
    void whatIsNotAsItShouldBeIsToldAndFails() throws Exception {
        Expectations expectations = new Expectations();
        expectations.expect("one", 1, 1);
        expectations.expect("the state", "OPEN", "CLOSED");
        assertThat(expectations.checked()).isEqualTo(2);
        assertThat(expectations.unmet()).containsExactly("the state should be OPEN, but is CLOSED");
    }

    private static HttpResponse<String> send(DemoService service, String method, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + service.port() + path);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .method(method, BodyPublishers.noBody())
                                .build(),
                        BodyHandlers.ofString());
    }
}
