package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.time.TimeSource;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A request whose first two attempts time out and whose third succeeds, over the wire, in both orders of retry and breaker. What is left
 * of the time is looked at in virtual time, by the test of the same name in core-tests.
 */
class ThirdAttemptOverHttpTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";
    private static final Duration ATTEMPT = Duration.ofSeconds(1);

    private ScriptedServer service() {
        return server(ScriptedServer.silence(), ScriptedServer.silence(), ScriptedServer.status(200, "third"));
    }

    private static void assertThirdSucceeds(SendMode mode, RecloserHttpClient client, ScriptedServer server) {
        HttpRequest request = get(server);
        long start = TimeSource.system().nanoTime();
        assertThat(mode.send(client, request, BodyHandlers.ofString()).body()).isEqualTo("third");
        assertThat(Duration.ofNanos(TimeSource.system().nanoTime() - start)).isGreaterThan(ATTEMPT.multipliedBy(2));
        assertThat(server.requests()).as("requests on the wire").hasSize(3);
        assertThat(retries(client, request)).as("retries").isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerInsideTheRetryCountsThreeCallsAndTwoFailures(SendMode mode) {
        ScriptedServer server = service();
        RecloserHttpClient client =
                quick().pipeline(standard -> standard.attemptTimeout(ATTEMPT)).build();
        assertThirdSucceeds(mode, client, server);
        assertThat(circuit(client, get(server)).calls()).isEqualTo(3);
        assertThat(circuit(client, get(server)).failures()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerAroundTheRetryCountsOneCallAndNoFailure(SendMode mode) {
        ScriptedServer server = service();
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .customPipeline(name -> Pipeline.<HttpResponse<?>>named(name)
                        .circuitBreaker(cb -> cb.classifier(HttpOutcomes.transientFailures()))
                        .retry(retry -> retry.maxRetries(2)
                                .constantDelay(Duration.ofMillis(1))
                                .classifier(HttpOutcomes.transientFailures()))
                        .timeout(ATTEMPT)
                        .build())
                .build();
        assertThirdSucceeds(mode, client, server);
        assertThat(circuit(client, get(server)).calls()).isEqualTo(1);
        assertThat(circuit(client, get(server)).failures()).isZero();
    }
}
