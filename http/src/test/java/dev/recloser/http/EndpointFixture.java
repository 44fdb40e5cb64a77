package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** What the tests of clients of several endpoints share; in virtual time but for what is on the wire. */
abstract class EndpointFixture extends ClientFixture {

    static final String MODES = "dev.recloser.http.SendMode#available";
    static final Duration BREAK = Duration.ofSeconds(5);
    static final Duration HEDGE_AFTER = Duration.ofMillis(200);
    static final HttpRequest GET = get(URI.create("http://orders/orders?x=%2F1"));
    static final HttpRequest POST = HttpRequest.newBuilder(URI.create("http://orders/orders"))
            .POST(BodyPublishers.ofString("one"))
            .build();

    final VirtualTime time = VirtualTime.create();
    final ScriptedServer first = server();
    final ScriptedServer second = server();

    /** Its circuits open at the first failure. */
    EndpointHttpClientBuilder brittle(ScriptedServer... servers) {
        EndpointHttpClientBuilder builder = EndpointHttpClient.newBuilder("orders")
                .time(time)
                .circuitBreaker(cb -> cb.openAfterConsecutive(1).breakDuration(BREAK));
        for (ScriptedServer server : servers) {
            builder.endpoint(server.uri("/v1"));
        }
        return builder;
    }

    EndpointHttpClientBuilder brittle() {
        return brittle(first, second);
    }

    /** No answer, and a connection that counts as closed by the client when it is. */
    static ScriptedServer.Answer silent() {
        return (request, out) -> {
            request.awaitClose();
            throw new IOException("closed");
        };
    }

    static HttpResponse<String> send(SendMode mode, EndpointHttpClient client, HttpRequest request) {
        return mode.send(client, request, BodyHandlers.ofString());
    }

    static Throwable error(SendMode mode, EndpointHttpClient client, HttpRequest request) {
        return mode.start(client, request, BodyHandlers.ofString()).error();
    }

    static CircuitBreaker breaker(EndpointHttpClient client, ScriptedServer server) {
        Pipeline<HttpResponse<?>> pipeline = client.endpoints().get(server.uri("/v1"));
        assertThat(pipeline).isNotNull();
        return pipeline.strategy(CircuitBreaker.class).orElseThrow();
    }
}
