package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.PipelineDescription.Part;
import dev.recloser.SettingsException;
import dev.recloser.StandardPipelineBuilder;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientPropertiesTest {

    private static final String OWN = "recloser.http.payments.";
    private static final String OF_ALL = "recloser.http.default.";

    private final StandardPipelineBuilder<HttpResponse<?>> standard = Pipeline.standard("payments");

    private static ClientProperties read(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return ClientProperties.read("payments", properties);
    }

    private Pipeline<HttpResponse<?>> built(String... keysAndValues) {
        read(keysAndValues).change(standard);
        return standard.build();
    }

    private static String setting(Pipeline<?> pipeline, String strategy, String name) {
        return pipeline.describe().strategies().stream()
                .filter(part -> part.name().equals(strategy))
                .map(part -> part.settings().getOrDefault(name, ""))
                .findFirst()
                .orElse("");
    }

    private void assertRefused(ClientProperties properties, String... problems) {
        ThrowingCallable build = () -> properties.throwIfWrong(check -> {
            properties.change(standard);
            assertThat(standard.build()).isNotNull();
        });
        assertThatThrownBy(build)
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        wrong -> assertThat(wrong.problems())
                                .extracting(SettingsException.Problem::toString)
                                .containsExactly(problems));
    }

    @ParameterizedTest
    @CsvSource({
        "totalTimeout, 40s, totalTimeout, limit, 40 s",
        "concurrencyLimiter.maxConcurrent, 20, concurrencyLimiter, maxConcurrent, 20",
        "concurrencyLimiter.queue, 5, concurrencyLimiter, queue, 5",
        "concurrencyLimiter.maxWait, 250ms, concurrencyLimiter, maxWait, 250 ms",
        "retry.maxRetries, 1, retry, maxRetries, 1",
        "retry.backoff, constant, retry, constantDelay, 2 s",
        "retry.backoff, linear, retry, linearBackoff, 2 s",
        "retry.backoff, EXPONENTIAL, retry, exponentialBackoff, 2 s x 2.0",
        "retry.delay, 100ms, retry, exponentialBackoff, 100 ms x 2.0",
        "retry.jitter, false, retry, jitter, false",
        "retry.maxDelay, 5s, retry, maxDelay, 5 s",
        "circuitBreaker.failureRatio, 0.25, payments, failureRatio, 0.25",
        "circuitBreaker.minimumThroughput, 10, payments, minimumThroughput, 10",
        "circuitBreaker.samplingDuration, 1m, payments, samplingDuration, 60 s",
        "circuitBreaker.breakDuration, 7s, payments, breakDuration, 7 s",
        "circuitBreaker.breakGrowth, linear, payments, breakGrowth, LINEAR",
        "circuitBreaker.breakJitter, .5, payments, breakJitter, 0.5",
        "circuitBreaker.probes, 2, payments, probes, 2",
        "circuitBreaker.successesToClose, 3, payments, successesToClose, 3",
        "circuitBreaker.probeLease, 1h, payments, probeLease, 3600 s",
        "circuitBreaker.rampUp, 1d, payments, rampUp, 1 d",
        "circuitBreaker.observeOnly, true, payments, observeOnly, true",
        "attemptTimeout, 2 s, attemptTimeout, limit, 2 s"
    })
    void eachSettingOfAStrategyHasAProperty(
            String property, String written, String strategy, String setting, String value) {
        assertThat(setting(built(OWN + property, written), strategy, setting)).isEqualTo(value);
    }

    @Test
    void maximumBreakDurationCanBeSetWithAGrowth() {
        Pipeline<?> pipeline = built(
                OWN + "circuitBreaker.breakGrowth", "exponential", OWN + "circuitBreaker.maximumBreakDuration", "1m");
        assertThat(setting(pipeline, "payments", "maximumBreakDuration")).isEqualTo("60 s");
    }

    @Test
    void propertiesCountMoreThanCode() {
        standard.attemptTimeout(Duration.ofSeconds(3)).retry(r -> r.constantDelay(Duration.ofSeconds(1)));
        Pipeline<?> pipeline = built(OWN + "attemptTimeout", "2s", OWN + "retry.delay", "3s");
        assertThat(setting(pipeline, "attemptTimeout", "limit")).isEqualTo("2 s");
        assertThat(setting(pipeline, "retry", "constantDelay")).isEqualTo("3 s");
    }

    @Test
    void ownPropertiesCountMoreThanThoseOfAllClients() {
        Pipeline<?> pipeline =
                built(OF_ALL + "attemptTimeout", "2s", OWN + "attemptTimeout", "3s", OF_ALL + "retry.maxRetries", "1");
        assertThat(setting(pipeline, "attemptTimeout", "limit")).isEqualTo("3 s");
        assertThat(setting(pipeline, "retry", "maxRetries")).isEqualTo("1");
    }

    @Test
    void strategiesAreSwitchedByName() {
        standard.without(StandardPipelineBuilder.ATTEMPT_TIMEOUT);
        Pipeline<?> pipeline = built(OWN + "retry.enabled", "false", OWN + "attemptTimeout.enabled", "true");
        assertThat(pipeline.describe().strategies())
                .extracting(Part::name)
                .containsExactly("totalTimeout", "concurrencyLimiter", "payments", "attemptTimeout");
    }

    @Test
    void strategyThatTheProgramLeftOutStaysOutUnlessItIsSwitchedOn() {
        standard.without(StandardPipelineBuilder.RETRY);
        ClientProperties properties = read(OF_ALL + "retry.maxRetries", "1");
        properties.change(standard);
        assertThat(standard.has(StandardPipelineBuilder.RETRY)).isFalse();
        assertThat(properties.warnings(standard::has))
                .containsExactly(OF_ALL + "retry.maxRetries has no effect, since retry is switched off");
    }

    @Test
    void settingsOfTheClientItselfAreToBeAskedFor() {
        ClientProperties properties = read(
                OWN + "connectTimeout",
                "1500ms",
                OWN + "maxPartitions",
                "7",
                OWN + "timeoutsCoverBody",
                "true",
                OWN + "expectedRequestsPerSecond",
                "2.5");
        assertThat(properties.find(ClientProperty.CONNECT_TIMEOUT)).contains(Duration.ofMillis(1500));
        assertThat(properties.find(ClientProperty.MAX_PARTITIONS)).contains(7);
        assertThat(properties.find(ClientProperty.TIMEOUTS_COVER_BODY)).contains(true);
        assertThat(properties.find(ClientProperty.EXPECTED_REQUESTS_PER_SECOND)).contains(2.5);
        assertThat(read().find(ClientProperty.MAX_PARTITIONS)).isEmpty();
    }

    @Test
    void everythingWrongIsSaidAtOnceWithItsFullKey() {
        assertRefused(
                read(
                        OWN + "retry.maxRetrys", "5",
                        OWN + "attemptTimeout", "10",
                        OWN + "retry.jitter", "yes",
                        OWN + "retry.backoff", "quadratic",
                        OWN + "retry.delay", "2d",
                        OWN + "circuitBreaker.failureRatio", "1.5",
                        OWN + "circuitBreaker.probes", "one",
                        OF_ALL + "concurrencyLimiter.maxConcurrent", "99999999999",
                        OWN + "totalTimeout", "2 days"),
                OWN
                        + "retry.maxRetrys is '5', must be left out, since no setting is called retry.maxRetrys; did you mean "
                        + OWN + "retry.maxRetries?",
                OWN + "totalTimeout is '2 days', must be a number and a unit, such as 500ms, 10s, 2m or 1h",
                OWN + "retry.backoff is 'quadratic', must be one of constant, linear, exponential",
                OWN + "retry.jitter is 'yes', must be true or false",
                OWN + "circuitBreaker.probes is 'one', must be a whole number, such as 5",
                OWN + "attemptTimeout is '10', must be a number with its unit: 10s for seconds, 10ms for milliseconds",
                OF_ALL + "concurrencyLimiter.maxConcurrent is '99999999999', must be from 1 to 1000000",
                OWN + "retry.delay is '2d', must be from 0 s to 1 d",
                OWN + "circuitBreaker.failureRatio is '1.5', must be more than 0 and at most 1");
    }

    @Test
    void settingsThatCannotWorkTogetherNameThePropertyThatIsTheReason() {
        standard.attemptTimeout(Duration.ofSeconds(8));
        assertRefused(
                read(OWN + "totalTimeout", "5s"),
                "payments.attemptTimeout is 8 s, must be at most the totalTimeout of 5 s, which " + OWN
                        + "totalTimeout says");
        assertRefused(
                read(OWN + "retry.delay", "3s", OWN + "retry.maxDelay", "1s"),
                OWN + "retry.maxDelay is '1s', must be at least the exponentialBackoff of 3 s, which " + OWN
                        + "retry.delay says",
                "payments.attemptTimeout is 8 s, must be at most the totalTimeout of 5 s");
    }

    @Test
    void unknownNameThatIsNearToNoneGetsAllThatThereAre() {
        assertThatThrownBy(() -> read(OWN + "colour", "red").throwIfWrong(check -> {}))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("no setting is called colour; there are totalTimeout, totalTimeout.enabled,")
                .hasMessageContaining("circuitBreaker.failureRatio");
    }

    @Test
    void propertiesOfOtherClientsAreNotLookedAt() {
        read("recloser.http.orders.colour", "red", OWN + "eu.retry.maxRetries", "x", "recloser.other", "1")
                .throwIfWrong(check -> {});
    }

    @Test
    void whatDoesNotApplyIsAMistakeOnlyOfTheClientsOwnProperties() {
        ClientProperties properties = read(OWN + "retry.maxRetries", "1", OF_ALL + "retry.jitter", "false")
                .without(property -> !property.strategy().isEmpty(), "the pipelines are the program's own");
        assertThat(properties.source("retry.jitter")).isEmpty();
        assertThatThrownBy(() -> properties.throwIfWrong(check -> {}))
                .hasMessage(
                        OWN + "retry.maxRetries is '1', must be left out, since the pipelines are the program's own");
    }

    @Test
    void propertiesAreReadWithTheirDefaultsAndWithoutBlanks() {
        Properties defaults = new Properties();
        defaults.setProperty(OWN + "attemptTimeout", " 3s ");
        Properties properties = new Properties(defaults);
        ClientProperties.read("payments", properties).change(standard);
        assertThat(setting(standard.build(), "attemptTimeout", "limit")).isEqualTo("3 s");
    }

    @Test
    void clientCalledDefaultHasThePropertiesOfAll() {
        ClientProperties properties = ClientProperties.read("default", Map.of(OF_ALL + "maxPartitions", 5));
        assertThat(properties.find(ClientProperty.MAX_PARTITIONS)).contains(5);
    }
}
