package dev.recloser.http;

import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.RetryBudget;
import dev.recloser.RetryBudgetBuilder;
import dev.recloser.SettingsException;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterBuilder;
import dev.recloser.time.TimeSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Builds an {@link EndpointHttpClient}. What is wrong is found when the client is built, all at once. Not thread-safe. */
public final class EndpointHttpClientBuilder {

    static final String FAILOVER = "failover";
    static final String HEDGING = "hedging";

    private static final int MOST_HEDGES = 10;

    /** An endpoint as it was given. */
    record Given(URI base, int weight) {}

    final String name;
    final List<Given> endpoints = new ArrayList<>();
    boolean isWeighted;
    DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();
    Duration totalTimeout = Duration.ofSeconds(30);
    Duration attemptTimeout = Duration.ofSeconds(10);

    @Nullable
    Duration hedgeAfter;

    @Nullable
    Integer maxAttempts;

    Predicate<HttpRequest> safeToRepeat = request -> false;
    boolean timeoutsCoverBody;
    TimeSource time = TimeSource.system();
    boolean isSecondLayerAllowed;

    @Nullable
    HttpClient around;

    @Nullable
    Consumer<HttpClient.Builder> transport;

    private Consumer<ConcurrencyLimiterBuilder> limiter = limits -> limits.maxConcurrent(1000);
    private Consumer<CircuitBreakerBuilder<HttpResponse<?>>> breaker = rule -> {};
    private Consumer<PipelineBuilder<HttpResponse<?>>> budget = pipeline -> {};

    EndpointHttpClientBuilder(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    // ---- endpoints

    /**
     * Adds an endpoint: 1 to 64 of them, no two the same.
     *
     * @param base where it is, such as {@code https://eu.example.com/v1}: http or https, with a host, without user, query and fragment
     */
    public EndpointHttpClientBuilder endpoint(URI base) {
        return endpoint(base, 1);
    }

    /**
     * Adds an endpoint of a {@linkplain #weighted weighted} client.
     *
     * @param base where it is, such as {@code https://eu.example.com/v1}: http or https, with a host, without user, query and fragment
     * @param weight how large its share of the requests is, beside those of the others: 1 to 1,000,000
     */
    public EndpointHttpClientBuilder endpoint(URI base, int weight) {
        endpoints.add(new Given(Objects.requireNonNull(base, "base"), weight));
        return this;
    }

    /** Requests go to the endpoints in the order in which they were given: to the first one as long as it is well. The default. */
    public EndpointHttpClientBuilder ordered() {
        isWeighted = false;
        return this;
    }

    /** Requests go to an endpoint by chance and weight; further attempts to one by weight among those that are left. */
    public EndpointHttpClientBuilder weighted() {
        isWeighted = true;
        return this;
    }

    /** Where the numbers for {@link #weighted} come from, for tests: numbers from 0 to 1, 1 excluded. Asked by many threads. */
    public EndpointHttpClientBuilder random(DoubleSupplier source) {
        random = Objects.requireNonNull(source, "source");
        return this;
    }

    // ---- strategies

    /** How long a request may take with all its attempts: more than 0, at most 1 day; by default 30 s. */
    public EndpointHttpClientBuilder totalTimeout(Duration limit) {
        totalTimeout = Objects.requireNonNull(limit, "limit");
        return this;
    }

    /** How many requests may be under way at the same time, and wait; by default 1000 and none. */
    public EndpointHttpClientBuilder concurrencyLimiter(Consumer<ConcurrencyLimiterBuilder> change) {
        limiter = limiter.andThen(Objects.requireNonNull(change, "change"));
        return this;
    }

    /**
     * Begins another attempt, at the next endpoint, beside those that have not ended by then: 0 to 1 day, and shorter than the {@link
     * #attemptTimeout}. Without it there is failover: another attempt only after one has failed. Attempts of a blocking call then run on threads of the
     * engine's.
     */
    public EndpointHttpClientBuilder hedgeAfter(Duration delay) {
        hedgeAfter = Objects.requireNonNull(delay, "delay");
        return this;
    }

    /** How many attempts a request may have, each at another endpoint: 1 to as many as there are; by default all, with hedging at most 11. */
    public EndpointHttpClientBuilder maxAttempts(int attempts) {
        maxAttempts = attempts;
        return this;
    }

    /** The budget that further attempts spend from; by default one of the client's own. */
    public EndpointHttpClientBuilder retryBudget(RetryBudget shared) {
        Objects.requireNonNull(shared, "shared");
        budget = pipeline -> pipeline.retryBudget(shared);
        return this;
    }

    /** A budget of the client's own, from which further attempts spend. */
    public EndpointHttpClientBuilder retryBudget(Consumer<RetryBudgetBuilder> settings) {
        Objects.requireNonNull(settings, "settings");
        budget = pipeline -> pipeline.retryBudget(settings);
        return this;
    }

    /** When the circuit of an endpoint opens, and for how long; by default when a tenth of at least 100 attempts within 30 s failed, for 5 s. */
    public EndpointHttpClientBuilder circuitBreaker(Consumer<CircuitBreakerBuilder<HttpResponse<?>>> change) {
        breaker = breaker.andThen(Objects.requireNonNull(change, "change"));
        return this;
    }

    /** How long one attempt may take: more than 0, not longer than the total; by default 10 s. */
    public EndpointHttpClientBuilder attemptTimeout(Duration limit) {
        attemptTimeout = Objects.requireNonNull(limit, "limit");
        return this;
    }

    // ---- requests and transport

    /** As {@link RecloserHttpClientBuilder#safeToRepeat}. */
    public EndpointHttpClientBuilder safeToRepeat(Predicate<HttpRequest> predicate) {
        safeToRepeat = Objects.requireNonNull(predicate, "predicate");
        return this;
    }

    /** As {@link RecloserHttpClientBuilder#timeoutsCoverBody}. */
    public EndpointHttpClientBuilder timeoutsCoverBody() {
        timeoutsCoverBody = true;
        return this;
    }

    /** The settings of the JDK's client that sends the requests, as {@code .transport(jdk -> jdk.connectTimeout(Duration.ofSeconds(1)))}. */
    public EndpointHttpClientBuilder transport(Consumer<HttpClient.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        transport = transport == null ? settings : transport.andThen(settings);
        return this;
    }

    /** Sends the requests with a client that exists, instead of one that is built here. It is not shut down with this one. */
    public EndpointHttpClientBuilder around(HttpClient existing) {
        around = Objects.requireNonNull(existing, "existing");
        return this;
    }

    /** Allows that the client to be put {@linkplain #around around} has pipelines itself: their attempts multiply, and both count failures. */
    public EndpointHttpClientBuilder allowSecondLayer() {
        isSecondLayerAllowed = true;
        return this;
    }

    /** The time by which the strategies go: the system's by default, a virtual one in tests. */
    public EndpointHttpClientBuilder time(TimeSource source) {
        time = Objects.requireNonNull(source, "source");
        return this;
    }

    // ---- building

    /**
     * The client.
     *
     * @throws SettingsException when the settings cannot work, alone or together; it names all that is wrong
     */
    public EndpointHttpClient build() {
        EndpointSettingsCheck.throwIfWrong(this);
        List<Endpoint> made = endpoints.stream()
                .map(given -> new Endpoint(given.base(), given.weight(), pipelineOfEndpoint(nameOf(given))))
                .toList();
        return new EndpointHttpClient(this, client(), pipelineAround(), made);
    }

    private HttpClient client() {
        if (around != null) {
            return around;
        }
        HttpClient.Builder jdk = HttpClient.newBuilder();
        if (transport != null) {
            transport.accept(jdk);
        }
        return jdk.build();
    }

    /** Such as {@code orders/eu.example.com:443/v1}. */
    private String nameOf(Given endpoint) {
        return name + "/" + Partitions.authority(endpoint.base())
                + endpoint.base().getRawPath();
    }

    /** Total timeout, limiter, and what makes further attempts. */
    Pipeline<HttpResponse<?>> pipelineAround() {
        PipelineBuilder<HttpResponse<?>> pipeline = Pipeline.<HttpResponse<?>>named(name)
                .time(time)
                .timeout(totalTimeout)
                .as(StandardPipelineBuilder.TOTAL_TIMEOUT)
                .concurrencyLimiter(limiter);
        budget.accept(pipeline);
        int further = furtherAttempts();
        Duration delay = hedgeAfter;
        if (further > 0 && delay != null) {
            pipeline.hedging(hedges -> hedges.classifier(HttpOutcomes.worthAnotherAttempt())
                            .maxHedges(further)
                            .delay(delay))
                    .as(HEDGING);
        } else if (further > 0) {
            pipeline.retry(retries -> retries.classifier(HttpOutcomes.worthAnotherAttempt())
                            .maxRetries(further)
                            .constantDelay(Duration.ZERO))
                    .as(FAILOVER);
        }
        return pipeline.build();
    }

    private int furtherAttempts() {
        int further = (maxAttempts == null ? endpoints.size() : maxAttempts) - 1;
        return hedgeAfter == null ? further : Math.min(further, MOST_HEDGES);
    }

    /** What there is at one endpoint, as one pipeline: the same settings cannot stand together there. */
    Pipeline<HttpResponse<?>> standardPipeline() {
        return Pipeline.<HttpResponse<?>>standard(name)
                .time(time)
                .totalTimeout(totalTimeout)
                .concurrencyLimiter(limiter)
                .without(StandardPipelineBuilder.RETRY)
                .circuitBreaker(this::changeBreaker)
                .attemptTimeout(attemptTimeout)
                .build();
    }

    /** Breaker, and inside it the timeout of an attempt. */
    Pipeline<HttpResponse<?>> pipelineOfEndpoint(String own) {
        return Pipeline.<HttpResponse<?>>named(own)
                .time(time)
                .circuitBreaker(this::changeBreaker)
                .timeout(attemptTimeout)
                .as(StandardPipelineBuilder.ATTEMPT_TIMEOUT)
                .build();
    }

    void changeBreaker(CircuitBreakerBuilder<HttpResponse<?>> rule) {
        // A probe that was overtaken by another attempt says nothing; the next one may say more.
        rule.probeAgainWhenInconclusive(hedgeAfter != null);
        breaker.accept(rule.classifier(HttpOutcomes.transientFailures()));
    }
}
