package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitOpenException;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HAProxy whose service is down, and comes back. */
class HaProxyFaultsTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";
    private static final Duration BREAK = Duration.ofSeconds(5);

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource(MODES)
    void circuitOpensWhileTheServiceIsDownAndAProbeThatReachesItClosesIt(SendMode mode) throws IOException {
        RefusingPort backend = toClose(new RefusingPort());
        ServerProcess haproxy = toClose(ServerProcess.haproxy(folder, backend.port()));
        VirtualTime time = VirtualTime.create();
        RecloserHttpClient client = quick().time(time)
                .pipeline(standard -> standard.retry(retry -> retry.constantDelay(Duration.ZERO))
                        .circuitBreaker(cb -> cb.openAfter(4, 4).breakDuration(BREAK)))
                .build();
        HttpRequest request = get(haproxy.uri("/"));

        HttpResponse<String> failed = mode.send(client, request, BodyHandlers.ofString());
        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(failed.body()).contains("No server is available to handle this request");
        assertThat(circuit(client, request).failures()).isEqualTo(3);
        assertThat(haproxy.awaitRequests(3)).hasSize(3).allMatch(line -> line.equals("GET / 503 HTTP/1.1"));

        assertThat(mode.start(client, request, BodyHandlers.ofString()).error())
                .as("the fourth failure opens the circuit, and the retry after it meets that")
                .isInstanceOfSatisfying(
                        RequestRejectedException.class,
                        error -> assertThat(error.rejection()).isInstanceOf(CircuitOpenException.class));
        assertThat(circuit(client, request).state()).isEqualTo(CircuitState.OPEN);

        time.advance(BREAK);
        assertThat(mode.start(client, request, BodyHandlers.ofString()).error())
                .as("the probe fails, and the retry after it meets the open circuit")
                .isInstanceOf(RequestRejectedException.class);
        assertThat(haproxy.awaitRequests(5)).hasSize(5);

        ScriptedServer service = toClose(new ScriptedServer(backend.listen(), ScriptedServer.status(200, "fine")));
        assertThat(mode.start(client, request, BodyHandlers.ofString()).error())
                .as("the service is well, but the break is not over")
                .isInstanceOf(RequestRejectedException.class);
        assertThat(service.requests()).isEmpty();

        time.advance(BREAK);
        assertThat(mode.send(client, request, BodyHandlers.ofString()).body()).isEqualTo("fine");
        assertThat(service.requests()).as("the probe").hasSize(1);
        assertThat(circuit(client, request).state()).isEqualTo(CircuitState.CLOSED);
        assertThat(mode.send(client, request, BodyHandlers.ofString()).body()).isEqualTo("fine");
        assertThat(service.requests()).hasSize(2);
        assertThat(haproxy.awaitRequests(7)).hasSize(7).endsWith("GET / 200 HTTP/1.1", "GET / 200 HTTP/1.1");
    }
}
