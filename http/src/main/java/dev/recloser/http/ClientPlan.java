package dev.recloser.http;

import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.spi.SettingsCheck;
import java.lang.System.Logger;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a client is made of: what the program and the properties say, put together and checked.
 *
 * @param transport sends the requests
 * @param maxPartitions how many partitions are kept
 * @param timeoutsCoverBody whether the limit of an attempt holds for a body that is read after it
 * @param pipelines makes the pipelines
 * @param settings all that, for people
 */
record ClientPlan(
        HttpClient transport,
        int maxPartitions,
        boolean timeoutsCoverBody,
        PipelineMaker pipelines,
        ClientSettings settings) {

    private static final Logger LOG = System.getLogger("dev.recloser.http");

    private static final int MOST_PARTITIONS = 100_000;
    private static final Duration SHORTEST = Duration.ofNanos(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    /**
     * Puts them together.
     *
     * @throws dev.recloser.SettingsException when they cannot work; it names all that is wrong
     */
    static ClientPlan of(RecloserHttpClientBuilder builder) {
        return new Drawing(builder).plan();
    }

    /** While it is being made. */
    private static final class Drawing {

        private final RecloserHttpClientBuilder builder;
        private final ClientProperties properties;
        private final PipelineMaker pipelines;
        private final int maxPartitions;
        private final boolean timeoutsCoverBody;
        private final Optional<Duration> connectTimeout;
        private final Optional<Double> requestsPerSecond;

        /** A pipeline as the partitions get it; null if they get none of the standard ones. */
        private @Nullable Pipeline<HttpResponse<?>> sample;

        Drawing(RecloserHttpClientBuilder builder) {
            this.builder = builder;
            this.properties = applicable(ClientProperties.read(builder.name, builder.properties), builder);
            this.pipelines = new PipelineMaker(
                    builder.name, builder.time, builder.change, properties::change, builder.customPipeline);
            this.maxPartitions = properties.find(ClientProperty.MAX_PARTITIONS).orElse(builder.maxPartitions);
            this.timeoutsCoverBody =
                    properties.find(ClientProperty.TIMEOUTS_COVER_BODY).orElse(builder.timeoutsCoverBody);
            this.connectTimeout = properties.find(ClientProperty.CONNECT_TIMEOUT);
            this.requestsPerSecond = properties
                    .find(ClientProperty.EXPECTED_REQUESTS_PER_SECOND)
                    .or(() -> Optional.ofNullable(builder.expectedRequestsPerSecond));
        }

        private static ClientProperties applicable(ClientProperties all, RecloserHttpClientBuilder builder) {
            ClientProperties some = all;
            if (builder.customPipeline != null) {
                some = some.without(
                        property -> !property.strategy().isEmpty(),
                        "the client has custom pipelines, made by the program");
            }
            if (builder.around != null) {
                some = some.without(
                        ClientProperty.CONNECT_TIMEOUT::equals,
                        "it is a setting of the client that this one is put around");
            }
            return some;
        }

        ClientPlan plan() {
            properties.throwIfWrong(this::check);
            HttpClient transport = builder.transport(connectTimeout);
            return new ClientPlan(transport, maxPartitions, timeoutsCoverBody, pipelines, settings(transport));
        }

        private void check(SettingsCheck check) {
            check.in("")
                    .require(!builder.name.isBlank(), "name", "'" + builder.name + "'", "not blank")
                    .in(builder.name)
                    .range("maxPartitions", maxPartitions, 1, MOST_PARTITIONS);
            builder.check(check);
            connectTimeout.ifPresent(timeout -> check.range("connectTimeout", timeout, SHORTEST, LONGEST));
            requestsPerSecond.ifPresent(rate -> check.require(
                    rate > 0 && rate < Double.POSITIVE_INFINITY,
                    "expectedRequestsPerSecond",
                    rate,
                    "a finite number, more than 0"));
            if (builder.customPipeline == null) {
                sample = pipelines.standard(builder.name);
            }
        }

        private ClientSettings settings(HttpClient transport) {
            EffectiveSettings settings = new EffectiveSettings(builder.name, properties);
            if (sample == null) {
                settings.add("pipeline", "custom", "standard");
            } else {
                settings.addStrategies(sample, pipelines.unchanged());
            }
            settings.add(
                    ClientProperty.CONNECT_TIMEOUT.name(),
                    transport.connectTimeout().map(SettingsCheck::readable).orElse("none"),
                    "none");
            settings.add(
                    ClientProperty.MAX_PARTITIONS.name(),
                    String.valueOf(maxPartitions),
                    String.valueOf(RecloserHttpClientBuilder.DEFAULT_PARTITIONS));
            settings.add(ClientProperty.TIMEOUTS_COVER_BODY.name(), String.valueOf(timeoutsCoverBody), "false");
            settings.add(
                    ClientProperty.EXPECTED_REQUESTS_PER_SECOND.name(),
                    requestsPerSecond.map(String::valueOf).orElse("unknown"),
                    "unknown");
            return settings.build(warnings());
        }

        /** Those of the pipeline are logged already. */
        private List<String> warnings() {
            List<String> own = new ArrayList<>();
            Pipeline<HttpResponse<?>> standard = sample;
            if (standard == null) {
                return own;
            }
            requestsPerSecond.ifPresent(rate -> standard.strategy(CircuitBreaker.class)
                    .ifPresent(breaker -> breaker.options().advise(rate).forEach(own::add)));
            own.addAll(properties.warnings(EffectiveSettings.strategiesOf(standard)::contains));
            own.forEach(warning -> LOG.log(Logger.Level.WARNING, builder.name + ": " + warning));
            List<String> all = new ArrayList<>(standard.warnings());
            all.addAll(own);
            return all;
        }
    }
}
