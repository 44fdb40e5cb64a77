package dev.recloser.http;

import dev.recloser.Pipeline;
import dev.recloser.PipelineListener;
import dev.recloser.Registration;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A {@link HttpClient} with a resilience pipeline inside: one for each authority that it talks to. Swap the construction, keep the code:
 *
 * <pre>{@code
 * HttpClient client = RecloserHttpClient.newBuilder("payments")
 *         .connectTimeout(Duration.ofSeconds(1))
 *         .build();
 *
 * HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>A request runs in the {@linkplain Pipeline#standard standard pipeline} of the partition it belongs to, by default that of its host and port. What
 * is a failure is said by {@link HttpOutcomes}; a {@code Retry-After} is honoured. A request is sent again only if that is safe: a GET, HEAD,
 * OPTIONS or TRACE, one with an {@code Idempotency-Key} header, or one that the caller {@linkplain
 * RecloserHttpClientBuilder#safeToRepeat says so of}; and in any case only with a body that can be {@linkplain ReplayableBody replayed}.
 *
 * <p><b>What an attempt is.</b> It ends when the JDK's client hands over the response. For a body handler that collects, such as {@code ofString} or
 * {@code ofFile}, that is when the body is there; for one that streams, such as {@code ofInputStream} or {@code ofLines}, when the headers
 * are, and what fails later is the reader's {@link IOException}; see {@link RecloserHttpClientBuilder#timeoutsCoverBody}. A response with a
 * {@linkplain HttpOutcomes#isTransient transient} status is held back until it is known that no other attempt follows: the handler sees only
 * the last one, and the body of a discarded one is read to its end if it is short, so that the connection can be used again.
 *
 * <p><b>What is thrown.</b> {@link java.net.http.HttpTimeoutException} for a timeout, {@link RequestRejectedException} for any other rejection,
 * and what the JDK's client throws as it is. {@code sendAsync} completes its future with the same. Interrupting a thread in {@code send}, or
 * cancelling the future of {@code sendAsync} or one derived from it, cancels the exchange.
 *
 * <p>{@link HttpRequest#timeout} bounds each attempt, as in the JDK's client, and all of them together, with a margin of a quarter of a second.
 *
 * <p>Thread-safe. Make one per service and keep it: the state of its circuits lives in it, and two clients share none.
 */
public final class RecloserHttpClient extends PipelinedHttpClient {

    private final Listening listening = new Listening();
    private final ClientSettings settings;
    private final Partitions partitions;

    RecloserHttpClient(RecloserHttpClientBuilder builder, ClientPlan plan) {
        super(
                builder.name,
                new Transport(plan.transport(), builder.time, plan.timeoutsCoverBody()),
                new Repeatability(builder.safeToRepeat),
                builder.around == null);
        this.settings = plan.settings();
        this.partitions =
                new Partitions(plan.maxPartitions(), builder.partitionBy, plan.pipelines()::make, listening::to);
    }

    /**
     * A client with all defaults, as {@link HttpClient#newHttpClient()} is.
     *
     * @param name what it is called in rejections, events and metrics
     */
    public static RecloserHttpClient newHttpClient(String name) {
        return newBuilder(name).build();
    }

    /**
     * Begins to build a client.
     *
     * @param name what it is called in rejections, events and metrics, alone or before a slash and the key of a partition; not empty
     */
    public static RecloserHttpClientBuilder newBuilder(String name) {
        return new RecloserHttpClientBuilder(name);
    }

    @Override
    Partition enter(HttpRequest request) {
        return partitions.enter(request);
    }

    /**
     * The settings by which this client goes, each with its source: printed, they are a table.
     *
     * <pre>{@code
     * payments
     *   totalTimeout              30 s  default
     *   retry.maxRetries          1     code
     *   attemptTimeout            2 s   property recloser.http.payments.attemptTimeout
     * }</pre>
     */
    public ClientSettings settings() {
        return settings;
    }

    // ---- pipelines

    /**
     * The pipeline that a request of this kind runs in at this moment, to look at its strategies. It may leave when it has not been used for
     * long, and another one take its place; see {@link RecloserHttpClientBuilder#maxPartitions}.
     */
    public Pipeline<HttpResponse<?>> pipeline(HttpRequest request) {
        Partition partition = partitions.enter(Objects.requireNonNull(request, "request"));
        try {
            return partition.pipeline();
        } finally {
            partition.leave();
        }
    }

    /** The pipelines that there are at this moment, by the key of their partition; that which all others share has the key {@code *}. */
    public Map<String, Pipeline<HttpResponse<?>>> pipelines() {
        return partitions.pipelines();
    }

    /**
     * Adds a listener to all pipelines, those that come later included.
     *
     * @return removes it again
     */
    public Registration addListener(PipelineListener listener) {
        return listening.add(listener);
    }

    /**
     * Does something for each pipeline that this client has or makes, such as binding meters to it, and takes it back when the pipeline goes
     * because its partition was not used. Other requests may be quicker than what is done for a new pipeline.
     *
     * @param bind called once for each; what it returns is removed when the pipeline has gone
     * @return ends that, and removes all that it has returned
     */
    public Registration forEachPipeline(Function<? super Pipeline<?>, ? extends Registration> bind) {
        return partitions.forEachPipeline(bind);
    }

    /** Its name and the partitions that there are, such as {@code RecloserHttpClient payments [10.0.0.7:80]}. */
    @Override
    public String toString() {
        return "RecloserHttpClient " + name() + " " + pipelines().keySet();
    }
}
