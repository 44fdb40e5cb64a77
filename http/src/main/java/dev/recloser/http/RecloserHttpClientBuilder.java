package dev.recloser.http;

import dev.recloser.Pipeline;
import dev.recloser.SettingsException;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.time.TimeSource;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link RecloserHttpClient}. It is a {@link HttpClient.Builder} too, whose settings are those of the JDK's client that sends the
 * requests. What is wrong is found when the client is built, all at once. Not thread-safe.
 */
public final class RecloserHttpClientBuilder implements HttpClient.Builder {

    static final int DEFAULT_PARTITIONS = 1000;

    final String name;
    int maxPartitions = DEFAULT_PARTITIONS;
    boolean timeoutsCoverBody;
    TimeSource time = TimeSource.system();
    Predicate<HttpRequest> safeToRepeat = request -> false;
    Function<HttpRequest, @Nullable String> partitionBy = Partitions::authority;

    @Nullable
    HttpClient around;

    @Nullable
    Consumer<StandardPipelineBuilder<HttpResponse<?>>> change;

    @Nullable
    Function<String, Pipeline<HttpResponse<?>>> customPipeline;

    @Nullable
    Double expectedRequestsPerSecond;

    final Map<String, String> properties = new HashMap<>();
    private final HttpClient.Builder transport = HttpClient.newBuilder();
    private final Set<String> ofTransport = new LinkedHashSet<>();
    private boolean isSecondLayerAllowed;

    RecloserHttpClientBuilder(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    // ---- resilience

    /**
     * Changes the standard pipeline, which judges outcomes by {@link HttpOutcomes#transientFailures} and honours {@code Retry-After}. Applied to
     * the pipeline of each partition when it is made, so it may be called often, and on any thread. A second change comes after the first.
     *
     * <pre>{@code
     * .pipeline(standard -> standard
     *         .attemptTimeout(Duration.ofSeconds(2))
     *         .retry(retry -> retry.maxRetries(1))
     *         .without(StandardPipelineBuilder.CONCURRENCY_LIMITER))
     * }</pre>
     */
    public RecloserHttpClientBuilder pipeline(Consumer<StandardPipelineBuilder<HttpResponse<?>>> change) {
        Objects.requireNonNull(change, "change");
        this.change = this.change == null ? change : this.change.andThen(change);
        return this;
    }

    /**
     * Takes other pipelines instead of the standard one, where the semantics differ. They are shown responses and {@link java.io.IOException}s;
     * {@link HttpOutcomes} has what is needed to judge them. The body of a response with a {@linkplain HttpOutcomes#isTransient transient} status
     * cannot be read there, and one that the pipeline returns in the place of another must have the body that the caller's handler would make.
     *
     * <pre>{@code
     * .customPipeline(partition -> Pipeline.<HttpResponse<?>>named("quotes/" + partition)
     *         .circuitBreaker(cb -> cb.classifier(HttpOutcomes.transientFailures()).failureRatio(0.5))
     *         .timeout(Duration.ofSeconds(1))
     *         .build())
     * }</pre>
     *
     * @param pipelineOfPartition makes the pipeline of a partition when it is first needed, or needed again after it has left; {@code *} is what
     *     is shared when there is no room for another one. May be called on several threads at once, also for the same partition, of which
     *     one is then dropped.
     */
    public RecloserHttpClientBuilder customPipeline(Function<String, Pipeline<HttpResponse<?>>> pipelineOfPartition) {
        customPipeline = Objects.requireNonNull(pipelineOfPartition, "pipelineOfPartition");
        return this;
    }

    /**
     * By what requests share a pipeline; by default the authority, which is the host in lower case and the port, such as {@code
     * api.example.com:443}. There should be few keys: never a URL, nor anything else that grows with the traffic.
     *
     * @param key the key of a request; null or empty for its authority, {@code *} for the one that is shared. Called for each request on its thread; what it throws ends the request.
     */
    public RecloserHttpClientBuilder partitionBy(Function<HttpRequest, @Nullable String> key) {
        partitionBy = Objects.requireNonNull(key, "key");
        return this;
    }

    /**
     * How many partitions are kept, 1 to 100,000; by default 1000. When another one is needed, the one leaves that was used least recently of
     * those without a request under way, and one whose circuit is closed before one whose circuit is not. When all are busy, what has no
     * partition shares one pipeline.
     */
    public RecloserHttpClientBuilder maxPartitions(int most) {
        maxPartitions = most;
        return this;
    }

    /**
     * Which requests may be sent more than once although neither their method nor an {@code Idempotency-Key} says so; by default none. Their
     * body must be {@linkplain ReplayableBody replayable} all the same.
     *
     * @param predicate called for each request on its thread; what it throws ends the request
     */
    public RecloserHttpClientBuilder safeToRepeat(Predicate<HttpRequest> predicate) {
        safeToRepeat = Objects.requireNonNull(predicate, "predicate");
        return this;
    }

    /**
     * The tightest timeout around an attempt covers the body of its response too where it is streamed: what is left of it when the headers are there is
     * the time for the body. A body that takes longer is cut, and its reader gets a {@link java.net.http.HttpTimeoutException}, or an {@link
     * java.io.IOException} because of it. Off by default: then the timeouts end with the headers.
     */
    public RecloserHttpClientBuilder timeoutsCoverBody() {
        timeoutsCoverBody = true;
        return this;
    }

    /**
     * How many requests per second one partition is expected to get, so that settings which cannot work with that are {@linkplain
     * ClientSettings#warnings warned} about, such as a minimum throughput that is never reached. Changes nothing else.
     *
     * @param rate more than 0
     */
    public RecloserHttpClientBuilder expectedRequestsPerSecond(double rate) {
        expectedRequestsPerSecond = rate;
        return this;
    }

    /**
     * Lets properties change the settings of a deployed program: they count more than what the program says. A property is called
     * {@code recloser.http.<client>.<setting>}, or {@code recloser.http.default.<setting>} for all clients that have none of their own.
     *
     * <pre>{@code
     * recloser.http.payments.attemptTimeout = 2s
     * recloser.http.payments.retry.maxRetries = 1
     * recloser.http.payments.circuitBreaker.enabled = false
     * recloser.http.default.connectTimeout = 500ms
     * }</pre>
     *
     * <p>The settings are those of {@link ClientSettings}, by the names that they have in the builders of the strategies; {@code enabled} puts a strategy
     * in or leaves it out. {@code retry.delay} is the first delay, {@code retry.backoff} is {@code constant}, {@code linear} or {@code exponential}.
     * Durations are a number and a unit, such as {@code 250ms}, {@code 2s}, {@code 1m}. Names that do not exist and values that cannot work are
     * refused when the client is built, all at once. Called again, it adds to what there is.
     *
     * @param more such as {@link System#getProperties}; read now, and what does not begin with {@code recloser.http.} is not looked at
     */
    public RecloserHttpClientBuilder properties(Map<?, ?> more) {
        properties.putAll(ClientProperties.texts(more));
        return this;
    }

    /**
     * Puts the pipelines around a client that exists, instead of one that is built here; so none of the settings of the JDK's client can be given. It is not
     * shut down with this one.
     */
    public RecloserHttpClientBuilder around(HttpClient existing) {
        around = Objects.requireNonNull(existing, "existing");
        return this;
    }

    /** Allows that the client to be put {@linkplain #around around} has pipelines itself: their attempts multiply, and both count failures. */
    public RecloserHttpClientBuilder allowSecondLayer() {
        isSecondLayerAllowed = true;
        return this;
    }

    /** The time by which the strategies go: the system's by default, a virtual one in tests. */
    public RecloserHttpClientBuilder time(TimeSource source) {
        time = Objects.requireNonNull(source, "source");
        return this;
    }

    // ---- the JDK's client

    private RecloserHttpClientBuilder transport(String setting, Consumer<HttpClient.Builder> how) {
        ofTransport.add(setting);
        how.accept(transport);
        return this;
    }

    @Override
    public RecloserHttpClientBuilder cookieHandler(CookieHandler cookieHandler) {
        return transport("cookieHandler", client -> client.cookieHandler(cookieHandler));
    }

    @Override
    public RecloserHttpClientBuilder connectTimeout(Duration duration) {
        return transport("connectTimeout", client -> client.connectTimeout(duration));
    }

    @Override
    public RecloserHttpClientBuilder sslContext(SSLContext sslContext) {
        return transport("sslContext", client -> client.sslContext(sslContext));
    }

    @Override
    public RecloserHttpClientBuilder sslParameters(SSLParameters sslParameters) {
        return transport("sslParameters", client -> client.sslParameters(sslParameters));
    }

    @Override
    public RecloserHttpClientBuilder executor(Executor executor) {
        return transport("executor", client -> client.executor(executor));
    }

    @Override
    public RecloserHttpClientBuilder followRedirects(HttpClient.Redirect policy) {
        return transport("followRedirects", client -> client.followRedirects(policy));
    }

    @Override
    public RecloserHttpClientBuilder version(HttpClient.Version version) {
        return transport("version", client -> client.version(version));
    }

    @Override
    public RecloserHttpClientBuilder priority(int priority) {
        return transport("priority", client -> client.priority(priority));
    }

    @Override
    public RecloserHttpClientBuilder proxy(ProxySelector proxySelector) {
        return transport("proxy", client -> client.proxy(proxySelector));
    }

    @Override
    public RecloserHttpClientBuilder authenticator(Authenticator authenticator) {
        return transport("authenticator", client -> client.authenticator(authenticator));
    }

    /**
     * The address from which the client connects. Returns this builder as what the JDK declares, so say it last.
     *
     * @param address null for whichever fits
     * @throws UnsupportedOperationException before JDK 19, whose client has no such setting
     */
    public HttpClient.Builder localAddress(@Nullable InetAddress address) {
        return transport("localAddress", client -> NewerJdk.localAddress(client, address));
    }

    // ---- building

    /**
     * The client.
     *
     * @throws SettingsException when the settings cannot work, alone or together; it names all that is wrong
     */
    @Override
    public RecloserHttpClient build() {
        return new RecloserHttpClient(this, ClientPlan.of(this));
    }

    /** Finds what is wrong with the parts that do not fit together. */
    void check(SettingsCheck check) {
        check.require(
                        around == null || ofTransport.isEmpty(),
                        "around",
                        "set together with " + String.join(", ", ofTransport),
                        "set alone: these are settings of the client that exists")
                .require(
                        customPipeline == null || change == null,
                        "customPipeline",
                        "set together with pipeline",
                        "set alone: there is no standard pipeline to be changed");
        if (!isSecondLayerAllowed) {
            PipelinedHttpClient.checkTransport(check, name, around);
        }
    }

    /** The client that sends the requests. */
    HttpClient transport(Optional<Duration> connectTimeout) {
        if (around != null) {
            return around;
        }
        connectTimeout.ifPresent(transport::connectTimeout);
        return transport.build();
    }
}
