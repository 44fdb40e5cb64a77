package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.http.ClientSettings.Setting;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class EffectiveSettingsTest {

    private static final String OWN = "recloser.http.payments.";

    private static ClientSettings settings(
            Consumer<StandardPipelineBuilder<HttpResponse<?>>> code, Map<String, String> properties) {
        ClientProperties read = ClientProperties.read("payments", properties);
        StandardPipelineBuilder<HttpResponse<?>> builder = Pipeline.standard("payments");
        code.accept(builder);
        read.change(builder);
        EffectiveSettings effective = new EffectiveSettings("payments", read);
        effective.addStrategies(builder.build(), Pipeline.standard("payments").build());
        effective.add("maxPartitions", "7", "1000");
        return effective.build(List.of("beware"));
    }

    private static String line(ClientSettings settings, String name) {
        return settings.find(name).map(Setting::toString).orElse("none");
    }

    @Test
    void eachSettingSaysWhereItComesFrom() {
        ClientSettings settings = settings(
                standard -> standard.retry(r -> r.maxRetries(1)).attemptTimeout(Duration.ofSeconds(1)),
                Map.of(OWN + "attemptTimeout", "2s"));
        assertThat(settings.client()).isEqualTo("payments");
        assertThat(line(settings, "totalTimeout")).isEqualTo("totalTimeout = 30 s (default)");
        assertThat(line(settings, "retry.maxRetries")).isEqualTo("retry.maxRetries = 1 (code)");
        assertThat(line(settings, "attemptTimeout"))
                .isEqualTo("attemptTimeout = 2 s (property " + OWN + "attemptTimeout)");
        assertThat(line(settings, "circuitBreaker.failureRatio"))
                .isEqualTo("circuitBreaker.failureRatio = 0.1 (default)");
        assertThat(line(settings, "maxPartitions")).isEqualTo("maxPartitions = 7 (code)");
        assertThat(settings.find("circuitBreaker.timeoutInside")).isEmpty();
    }

    @Test
    void backoffHasItsKindAndItsDelayApart() {
        ClientSettings settings = settings(
                standard -> standard.retry(r -> r.constantDelay(Duration.ofSeconds(2))),
                Map.of(OWN + "retry.delay", "20s"));
        assertThat(line(settings, "retry.backoff")).isEqualTo("retry.backoff = constant (code)");
        assertThat(line(settings, "retry.delay")).isEqualTo("retry.delay = 20 s (property " + OWN + "retry.delay)");
        assertThat(line(settings, "retry.maxDelay"))
                .isEqualTo("retry.maxDelay = 40 s (property " + OWN + "retry.delay)");
    }

    @Test
    void switchedOffStrategyIsSaidToBeAndHasNoOtherSettings() {
        ClientSettings settings = settings(
                standard -> standard.without(StandardPipelineBuilder.RETRY)
                        .without(StandardPipelineBuilder.CIRCUIT_BREAKER),
                Map.of(OWN + "concurrencyLimiter.enabled", "false", OWN + "circuitBreaker.enabled", "true"));
        assertThat(line(settings, "retry.enabled")).isEqualTo("retry.enabled = false (code)");
        assertThat(settings.find("retry.maxRetries")).isEmpty();
        assertThat(line(settings, "concurrencyLimiter.enabled"))
                .isEqualTo("concurrencyLimiter.enabled = false (property " + OWN + "concurrencyLimiter.enabled)");
        assertThat(line(settings, "circuitBreaker.enabled"))
                .isEqualTo("circuitBreaker.enabled = true (property " + OWN + "circuitBreaker.enabled)");
        assertThat(settings.find("circuitBreaker.probes")).isPresent();
    }

    @Test
    void printsAnAlignedTable() {
        ClientSettings settings = new ClientSettings(
                "payments",
                List.of(
                        new Setting("attemptTimeout", "2 s", SettingSource.property(OWN + "attemptTimeout")),
                        new Setting("retry.maxRetries", "3", SettingSource.DEFAULT),
                        new Setting("timeoutsCoverBody", "true", SettingSource.CODE)),
                List.of("beware"));
        assertThat(settings).hasToString("""
                        payments
                          attemptTimeout     2 s   property recloser.http.payments.attemptTimeout
                          retry.maxRetries   3     default
                          timeoutsCoverBody  true  code
                          warning: beware""");
        assertThat(settings.warnings()).containsExactly("beware");
    }

    @Test
    void onlyPropertiesHaveAKey() {
        assertThatThrownBy(() -> new SettingSource(SettingSource.Kind.CODE, Optional.of("key")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SettingSource(SettingSource.Kind.PROPERTY, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
