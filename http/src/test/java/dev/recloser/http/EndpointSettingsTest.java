package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.SettingsException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointSettingsTest {

    private static final URI EU = URI.create("https://eu.example.com/v1");
    private static final URI US = URI.create("https://us.example.com/v1");

    private static EndpointHttpClientBuilder two() {
        return EndpointHttpClient.newBuilder("orders").endpoint(EU).endpoint(US);
    }

    private static void assertRefused(EndpointHttpClientBuilder builder, String... problems) {
        assertThatThrownBy(builder::build)
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        wrong -> assertThat(wrong.problems())
                                .extracting(SettingsException.Problem::toString)
                                .containsExactly(problems));
    }

    @Test
    void clientNeedsAnEndpoint() {
        assertRefused(EndpointHttpClient.newBuilder("orders"), "orders.endpoints is 0, must be from 1 to 64");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://host/v1",
                "/v1",
                "https:///v1",
                "https://user@host/v1",
                "https://host/v1?x=1",
                "https://host/#top",
                "https://host:70000",
                "mailto:somebody"
            })
    void endpointIsAnAbsoluteUriOfHttpWithNothingButHostAndPath(String base) {
        assertRefused(
                EndpointHttpClient.newBuilder("orders").endpoint(URI.create(base)),
                "orders.endpoint is " + base
                        + ", must be an http or https URI with a host, a port up to 65535 if any, without user, query and"
                        + " fragment, such as https://eu.example.com/v1");
    }

    @Test
    void endpointIsGivenOnce() {
        assertRefused(two().endpoint(URI.create(EU + "/")), "orders.endpoint is " + EU + "/ twice, must be given once");
        URI same = URI.create("HTTPS://EU.example.com:443/v1");
        assertRefused(
                EndpointHttpClient.newBuilder("orders")
                        .endpoint(URI.create("https://eu.example.com/v1"))
                        .endpoint(same),
                "orders.endpoint is " + same + " twice, must be given once");
    }

    @Test
    void weightsAreForWeightedClients() {
        assertRefused(
                EndpointHttpClient.newBuilder("orders").endpoint(EU, 2),
                "orders.weight of " + EU + " is 2, must be left out unless the client is weighted()");
        assertRefused(
                EndpointHttpClient.newBuilder("orders").weighted().endpoint(EU, 0),
                "orders.weight of " + EU + " is 0, must be from 1 to 1000000");
        assertThat(EndpointHttpClient.newBuilder("orders")
                        .weighted()
                        .endpoint(EU, 2)
                        .build())
                .isNotNull();
    }

    @Test
    void everythingWrongIsSaidAtOnce() {
        assertRefused(
                two().maxAttempts(3)
                        .hedgeAfter(Duration.ofSeconds(20))
                        .attemptTimeout(Duration.ofSeconds(20))
                        .totalTimeout(Duration.ofSeconds(10)),
                "orders.maxAttempts is 3, must be from 1 to 2",
                "orders.hedgeAfter is 20 s, must be shorter than the attemptTimeout of 20 s, when every attempt has ended",
                "orders.attemptTimeout is 20 s, must be at most the totalTimeout of 10 s",
                "orders.circuitBreaker.samplingDuration is 30 s, must be at least twice the attemptTimeout of 20 s");
    }

    @Test
    void settingsOfStrategiesAreChecked() {
        assertRefused(
                two().concurrencyLimiter(limiter -> limiter.maxConcurrent(0))
                        .circuitBreaker(breaker -> breaker.failureRatio(2)),
                "orders.concurrencyLimiter.maxConcurrent is 0, must be from 1 to 1000000",
                "orders.circuitBreaker.failureRatio is 2.0, must be more than 0 and at most 1");
    }

    @Test
    void secondLayerIsRefusedUnlessAllowed() {
        RecloserHttpClient inner = RecloserHttpClient.newHttpClient("payments");
        assertThatThrownBy(two().around(inner)::build)
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("attempts of orders and payments would multiply");
        assertThat(two().around(inner).allowSecondLayer().build()).isNotNull();
        assertThatThrownBy(RecloserHttpClient.newBuilder("payments").around(two().build())::build)
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("attempts of payments and orders would multiply");
    }

    @Test
    void clientThatExistsHasItsSettings() {
        assertRefused(
                two().around(HttpClient.newHttpClient()).transport(jdk -> jdk.version(HttpClient.Version.HTTP_1_1)),
                "orders.around is set together with transport, must be set alone: the client that exists has its settings");
    }

    @Test
    void oneEndpointNeedsNeitherFailoverNorHedging() {
        EndpointHttpClientBuilder one = EndpointHttpClient.newBuilder("orders").endpoint(EU);
        assertThat(one.build().pipeline()).hasToString("orders [totalTimeout > concurrencyLimiter]");
        assertThat(one.hedgeAfter(Duration.ofMillis(1)).build().pipeline())
                .hasToString("orders [totalTimeout > concurrencyLimiter]");
    }
}
