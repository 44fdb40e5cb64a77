package dev.recloser.http;

import dev.recloser.Pipeline;
import dev.recloser.PipelineListener;
import dev.recloser.Registration;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link HttpClient} for a service that can be reached at several endpoints. When one fails, or is slow, the request goes to another:
 *
 * <pre>{@code
 * HttpClient orders = EndpointHttpClient.newBuilder("orders")
 *         .endpoint(URI.create("https://eu.example.com/v1"))
 *         .endpoint(URI.create("https://us.example.com/v1"))
 *         .hedgeAfter(Duration.ofMillis(200))
 *         .build();
 *
 * // goes to https://eu.example.com/v1/orders?x=1
 * orders.send(HttpRequest.newBuilder(URI.create("http://orders/orders?x=1")).build(), BodyHandlers.ofString());
 * }</pre>
 *
 * <p><b>Where a request goes.</b> The scheme, the host and the port of its URI are replaced by those of the endpoint, and its path is joined to that of
 * the endpoint; query and encoded characters stay as they are. Each attempt goes to another endpoint: in the order given, or as their
 * weights have it.
 *
 * <p><b>The strategies.</b> Each endpoint has a circuit breaker, with the timeout of an attempt inside it. One whose circuit is open is passed over at
 * once, which is no attempt; as after its break the next request whose turn comes to it is the probe, it comes back by itself. Around the endpoints
 * stand the total timeout, the concurrency limiter, and either <i>hedging</i>, which begins another attempt beside one that is slow or in the
 * place of one that failed; or <i>failover</i>, a retry without delay. Outcomes mean what {@link HttpOutcomes} says.
 *
 * <p>A request is sent to a second endpoint only if it is safe to repeat, as with {@link RecloserHttpClient}. Any other goes to the first
 * endpoint whose circuit lets it in, once.
 *
 * <p><b>How it ends.</b> If all attempts fail, the caller gets what the last one came to; with hedging, what the first one that failed came to. If no
 * circuit lets the request in, it is rejected, and the rejection says when the first of them may. Exceptions are those of {@link
 * RecloserHttpClient}. Attempts that are not needed any more are cancelled, and their responses discarded.
 *
 * <p>Thread-safe. Make one per service and keep it.
 */
public final class EndpointHttpClient extends PipelinedHttpClient {

    private final Pipeline<HttpResponse<?>> pipeline;
    private final Partition partition;
    private final List<Endpoint> endpoints;
    private final EndpointOrder order;
    private final boolean isHedged;

    EndpointHttpClient(
            EndpointHttpClientBuilder builder,
            HttpClient client,
            Pipeline<HttpResponse<?>> pipeline,
            List<Endpoint> endpoints) {
        super(
                builder.name,
                new Transport(client, builder.time, builder.timeoutsCoverBody),
                new Repeatability(builder.safeToRepeat),
                builder.around == null);
        this.pipeline = pipeline;
        this.partition = new Partition(builder.name, pipeline, () -> {});
        this.endpoints = List.copyOf(endpoints);
        this.order = builder.isWeighted
                ? EndpointOrder.weighted(this.endpoints, builder.random)
                : EndpointOrder.fixed(this.endpoints);
        this.isHedged = builder.hedgeAfter != null;
    }

    /**
     * Begins to build a client.
     *
     * @param name what it is called in rejections, events and metrics, alone or before a slash and the endpoint; not blank
     */
    public static EndpointHttpClientBuilder newBuilder(String name) {
        return new EndpointHttpClientBuilder(name);
    }

    @Override
    Partition enter(HttpRequest request) {
        partition.enter();
        return partition;
    }

    @Override
    <T> Exchange<T> exchange(
            HttpRequest request,
            HttpResponse.BodyHandler<T> handler,
            HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
        return new EndpointExchange<>(this, request, handler, pushes);
    }

    /** The endpoints in the order in which the next request goes to them. */
    List<Endpoint> order() {
        return order.next();
    }

    boolean isHedged() {
        return isHedged;
    }

    /** The pipeline around the endpoints: total timeout, concurrency limiter, and hedging or failover. */
    public Pipeline<HttpResponse<?>> pipeline() {
        return pipeline;
    }

    /** The pipeline of each endpoint, in the order in which they were given: its circuit breaker, and the timeout of an attempt. */
    public Map<URI, Pipeline<HttpResponse<?>>> endpoints() {
        Map<URI, Pipeline<HttpResponse<?>>> all = new LinkedHashMap<>();
        endpoints.forEach(endpoint -> all.put(endpoint.base(), endpoint.pipeline()));
        return Collections.unmodifiableMap(all);
    }

    /**
     * Adds a listener to all pipelines.
     *
     * @return removes it again
     */
    public Registration addListener(PipelineListener listener) {
        return forEachPipeline(each -> each.addListener(listener));
    }

    /**
     * Does something for each pipeline, such as binding meters to it.
     *
     * @param bind called once for each
     * @return removes all that it has returned
     */
    public Registration forEachPipeline(Function<? super Pipeline<?>, ? extends Registration> bind) {
        List<Registration> registrations = Stream.concat(
                        Stream.of(pipeline), endpoints.stream().map(Endpoint::pipeline))
                .<Registration>map(bind)
                .toList();
        return Registration.all(registrations);
    }

    /** Its name and its endpoints, such as {@code EndpointHttpClient orders [https://eu.example.com/v1, https://us.example.com/v1]}. */
    @Override
    public String toString() {
        return "EndpointHttpClient " + name()
                + endpoints.stream()
                        .map(endpoint -> endpoint.base().toString())
                        .collect(Collectors.joining(", ", " [", "]"));
    }
}
