package dev.recloser.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A {@link HttpClient} around another one that makes a client span for each request, as OpenTelemetry's conventions for HTTP have it, and hands
 * the trace on in its headers. Put under a client with pipelines it makes one span for each attempt, and none for a call that is rejected:
 *
 * <pre>{@code
 * HttpClient transport = TracingHttpClient.around(HttpClient.newHttpClient(), openTelemetry);
 * RecloserHttpClient client = RecloserHttpClient.newBuilder("payments").around(transport).build();
 * client.forEachPipeline(telemetry::bind);
 * }</pre>
 *
 * <p>A span ends when the response is handed over, or the request has failed or been cancelled. A status of 400 or more is an error. In {@code
 * url.full} user and password, and the values in the query, are replaced by {@code REDACTED}, and there is no fragment. Redirects that the
 * client around which it stands follows by itself are part of one span. Web sockets are not traced.
 *
 * <p>Thread-safe. It has nothing that needs to be closed: shut down the client that it stands around.
 */
public final class TracingHttpClient extends ForwardingHttpClient {

    private final ClientSpans spans;

    private TracingHttpClient(HttpClient client, ClientSpans spans) {
        super(client);
        this.spans = spans;
    }

    /**
     * Traces the requests that go through a client.
     *
     * @param client sends them
     * @param openTelemetry where the spans go, and whose propagators write the headers
     */
    public static TracingHttpClient around(HttpClient client, OpenTelemetry openTelemetry) {
        return new TracingHttpClient(
                Objects.requireNonNull(client, "client"),
                new ClientSpans(Objects.requireNonNull(openTelemetry, "openTelemetry")));
    }

    @Override
    @SuppressWarnings("try") // the scope only ends
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        ClientSpan span = spans.start(request);
        try (Scope ignored = span.context().makeCurrent()) {
            HttpResponse<T> response = client.send(spans.propagating(request, span.context()), handler);
            span.end(response, null);
            return response;
        } catch (Throwable error) {
            span.end(null, error);
            throw error;
        }
    }

    @Override
    @SuppressWarnings("try") // as above
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        ClientSpan span = spans.start(request);
        Context context = span.context();
        try (Scope ignored = context.makeCurrent()) {
            return TracedFuture.of(client.sendAsync(spans.propagating(request, context), handler, pushes), span);
        } catch (Throwable error) {
            span.end(null, error);
            throw error;
        }
    }

    /** What it stands around. */
    @Override
    public String toString() {
        return "TracingHttpClient around " + client;
    }
}
