package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.SettingsException;
import dev.recloser.http.ClientSettings.Setting;
import dev.recloser.retry.Retry;
import dev.recloser.timeout.Timeout;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the program and the properties say about a client, put together. */
class ClientPlanTest {

    private static final String OWN = "recloser.http.payments.";
    private static final String OF_ALL = "recloser.http.default.";
    private static final HttpRequest REQUEST =
            HttpRequest.newBuilder(URI.create("http://localhost:81/")).build();

    private static RecloserHttpClientBuilder payments(Map<?, ?> properties) {
        return RecloserHttpClient.newBuilder("payments").properties(properties);
    }

    private static String line(RecloserHttpClient client, String setting) {
        return client.settings().find(setting).map(Setting::toString).orElse("none");
    }

    @Test
    void propertiesChangeThePipelineOfEachPartition() {
        RecloserHttpClient client = payments(Map.of(OWN + "attemptTimeout", "2s", OF_ALL + "retry.maxRetries", "1"))
                .pipeline(standard -> standard.attemptTimeout(Duration.ofSeconds(5)))
                .build();
        Pipeline<HttpResponse<?>> pipeline = client.pipeline(REQUEST);
        assertThat(pipeline.name()).isEqualTo("payments/localhost:81");
        assertThat(pipeline.strategy(Retry.class).orElseThrow().maxRetries()).isEqualTo(1);
        assertThat(pipeline.strategies())
                .last()
                .isInstanceOfSatisfying(
                        Timeout.class, timeout -> assertThat(timeout.limit()).contains(Duration.ofSeconds(2)));
    }

    @Test
    void settingsOfTheClientItselfComeFromPropertiesToo() {
        RecloserHttpClient client = payments(Map.of(
                        OWN + "connectTimeout", "1500ms",
                        OWN + "maxPartitions", "7",
                        OWN + "timeoutsCoverBody", "true"))
                .connectTimeout(Duration.ofSeconds(9))
                .maxPartitions(9)
                .build();
        assertThat(client.connectTimeout()).contains(Duration.ofMillis(1500));
        assertThat(line(client, "connectTimeout"))
                .isEqualTo("connectTimeout = 1500 ms (property " + OWN + "connectTimeout)");
        assertThat(line(client, "maxPartitions")).isEqualTo("maxPartitions = 7 (property " + OWN + "maxPartitions)");
        assertThat(line(client, "timeoutsCoverBody"))
                .isEqualTo("timeoutsCoverBody = true (property " + OWN + "timeoutsCoverBody)");
        assertThat(line(client, "expectedRequestsPerSecond"))
                .isEqualTo("expectedRequestsPerSecond = unknown (default)");
    }

    @Test
    void allSettingsOfAPlainClientAreDefaults() {
        ClientSettings settings = RecloserHttpClient.newHttpClient("payments").settings();
        assertThat(settings.all()).extracting(Setting::source).containsOnly(SettingSource.DEFAULT);
        assertThat(settings.all())
                .extracting(Setting::name)
                .startsWith("totalTimeout", "concurrencyLimiter.maxConcurrent")
                .contains("retry.backoff", "retry.delay", "circuitBreaker.failureRatio", "attemptTimeout")
                .endsWith("connectTimeout", "maxPartitions", "timeoutsCoverBody", "expectedRequestsPerSecond");
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void codeIsASource() {
        RecloserHttpClient client = payments(Map.of())
                .maxPartitions(5)
                .timeoutsCoverBody()
                .connectTimeout(Duration.ofSeconds(1))
                .expectedRequestsPerSecond(100)
                .pipeline(standard -> standard.circuitBreaker(breaker -> breaker.probes(2)))
                .build();
        assertThat(client.settings().all().stream()
                        .filter(setting -> setting.source().equals(SettingSource.CODE))
                        .map(Setting::name))
                .containsExactly(
                        "circuitBreaker.probes",
                        "connectTimeout",
                        "maxPartitions",
                        "timeoutsCoverBody",
                        "expectedRequestsPerSecond");
    }

    @Test
    void whatIsWrongInCodeAndInPropertiesIsSaidTogether() {
        RecloserHttpClientBuilder builder = payments(Map.of(
                        OWN + "maxPartition",
                        "5",
                        OWN + "expectedRequestsPerSecond",
                        "0",
                        OWN + "connectTimeout",
                        "0s",
                        OWN + "totalTimeout",
                        "5s"))
                .maxPartitions(0);
        assertThatThrownBy(builder::build)
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        wrong -> assertThat(wrong.problems())
                                .extracting(SettingsException.Problem::toString)
                                .containsExactly(
                                        OWN
                                                + "maxPartition is '5', must be left out, since no setting is called maxPartition;"
                                                + " did you mean " + OWN + "maxPartitions?",
                                        "payments.maxPartitions is 0, must be from 1 to 100000",
                                        OWN + "connectTimeout is '0s', must be from 1 ns to 1 d",
                                        OWN + "expectedRequestsPerSecond is '0', must be a finite number, more than 0",
                                        "payments.attemptTimeout is 10 s, must be at most the totalTimeout of 5 s, which "
                                                + OWN + "totalTimeout says"));
    }

    @Test
    void propertiesOfStrategiesDoNotFitCustomPipelines() {
        RecloserHttpClientBuilder builder = payments(Map.of(OF_ALL + "attemptTimeout", "2s"))
                .customPipeline(
                        partition -> Pipeline.<HttpResponse<?>>named(partition).build());
        RecloserHttpClient client = builder.build();
        assertThat(client.pipeline(REQUEST).strategies()).isEmpty();
        assertThat(line(client, "pipeline")).isEqualTo("pipeline = custom (code)");
        assertThatThrownBy(builder.properties(Map.of(OWN + "attemptTimeout", "2s"))::build)
                .isInstanceOf(SettingsException.class)
                .hasMessage(
                        OWN + "attemptTimeout is '2s', must be left out, since the client has custom pipelines, made by"
                                + " the program");
    }

    @Test
    void connectTimeoutIsThatOfTheClientThatExists() {
        HttpClient existing =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(3)).build();
        RecloserHttpClientBuilder builder =
                payments(Map.of(OF_ALL + "connectTimeout", "1s")).around(existing);
        assertThat(line(builder.build(), "connectTimeout")).isEqualTo("connectTimeout = 3 s (code)");
        assertThatThrownBy(builder.properties(Map.of(OWN + "connectTimeout", "1s"))::build)
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("it is a setting of the client that this one is put around");
    }

    @Test
    void minimumThroughputThatTheExpectedTrafficCannotReachIsWarnedAbout() {
        ClientSettings settings =
                payments(Map.of()).expectedRequestsPerSecond(1).build().settings();
        assertThat(settings.warnings())
                .singleElement()
                .asString()
                .startsWith("never opens: at 1 calls/s a samplingDuration of 30 s holds 30 calls");
        assertThat(settings.toString()).contains("\n  warning: never opens");
        assertThat(payments(Map.of(OWN + "expectedRequestsPerSecond", "100"))
                        .expectedRequestsPerSecond(1)
                        .build()
                        .settings()
                        .warnings())
                .isEmpty();
    }

    @Test
    void backoffThatDoesNotFitTheTotalIsWarnedAbout() {
        assertThat(payments(Map.of(OWN + "retry.maxRetries", "5", OWN + "retry.delay", "5s"))
                        .build()
                        .settings()
                        .warnings())
                .singleElement()
                .asString()
                .startsWith("retry can wait for up to ")
                .endsWith("which does not fit into totalTimeout of 30 s");
    }

    @Test
    void propertyOfAStrategyThatIsOutIsWarnedAbout() {
        assertThat(payments(Map.of(OWN + "retry.maxRetries", "5", OWN + "retry.enabled", "false"))
                        .build()
                        .settings()
                        .warnings())
                .containsExactly(OWN + "retry.maxRetries has no effect, since retry is switched off");
    }
}
