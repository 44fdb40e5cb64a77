package dev.recloser.http;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.retry.Retry;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** What the tests of the client share: servers that are closed again, and a client that does not wait long. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ClientFixture {

    private final List<Closeable> servers = new ArrayList<>();

    @AfterEach
    void closeServers() throws IOException {
        for (Closeable server : servers) {
            server.close();
        }
    }

    final ScriptedServer server(ScriptedServer.Answer... answers) {
        return toClose(new ScriptedServer(answers));
    }

    final <C extends Closeable> C toClose(C server) {
        servers.add(server);
        return server;
    }

    /** Two retries, after a millisecond each. */
    static RecloserHttpClientBuilder quick() {
        return RecloserHttpClient.newBuilder("test")
                .pipeline(
                        standard -> standard.retry(retry -> retry.maxRetries(2).constantDelay(Duration.ofMillis(1))));
    }

    static RecloserHttpClient quickClient() {
        return quick().build();
    }

    static HttpRequest get(URI uri) {
        return HttpRequest.newBuilder(uri).build();
    }

    static HttpRequest get(ScriptedServer server) {
        return get(server.uri("/"));
    }

    static HttpRequest request(ScriptedServer server, UnaryOperator<HttpRequest.Builder> change) {
        return change.apply(HttpRequest.newBuilder(server.uri("/"))).build();
    }

    static CircuitSnapshot circuit(RecloserHttpClient client, HttpRequest request) {
        return client.pipeline(request)
                .strategy(CircuitBreaker.class)
                .orElseThrow()
                .snapshot();
    }

    static long retries(RecloserHttpClient client, HttpRequest request) {
        return client.pipeline(request)
                .strategy(Retry.class)
                .orElseThrow()
                .snapshot()
                .retried();
    }
}
