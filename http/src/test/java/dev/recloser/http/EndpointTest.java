package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointTest {

    private static Endpoint endpoint(String base, int weight) {
        return new Endpoint(
                URI.create(base),
                weight,
                Pipeline.<HttpResponse<?>>named("test").build());
    }

    @ParameterizedTest
    @CsvSource({
        "https://eu.example.com/v1,         http://orders/orders?x=1,      https://eu.example.com/v1/orders?x=1",
        "https://eu.example.com/v1/,        http://orders/orders,          https://eu.example.com/v1/orders",
        "https://eu.example.com,            http://orders/orders,          https://eu.example.com/orders",
        "https://eu.example.com/,           http://orders/orders,          https://eu.example.com/orders",
        "https://eu.example.com/v1,         http://orders,                 https://eu.example.com/v1",
        "https://eu.example.com/v1,         http://orders?x=1,             https://eu.example.com/v1?x=1",
        "https://eu.example.com/v1,         http://orders/,                https://eu.example.com/v1/",
        "http://[::1]:8080/a/b,             https://orders:1/c/d/?e=f#g,   http://[::1]:8080/a/b/c/d/?e=f#g",
        "http://host:80/a%20b,              http://orders/c%2Fd?e=%26&f=g+h,  http://host:80/a%20b/c%2Fd?e=%26&f=g+h",
        "http://host,                       http://orders//double//slash,  http://host//double//slash"
    })
    void pathIsJoinedAndWhatIsEncodedStaysSo(String base, String asked, String joined) {
        assertThat(Endpoint.join(URI.create(base), URI.create(asked))).hasToString(joined);
    }

    @Test
    void readdressedRequestIsTheSameButForItsUri() {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://orders/orders"))
                .header("X-One", "1")
                .timeout(Duration.ofSeconds(3))
                .PUT(BodyPublishers.ofString("body"))
                .build();
        HttpRequest readdressed = endpoint("http://host:81/v1", 1).readdressed(request);
        assertThat(readdressed.uri()).hasToString("http://host:81/v1/orders");
        assertThat(readdressed.method()).isEqualTo("PUT");
        assertThat(readdressed.headers()).isEqualTo(request.headers());
        assertThat(readdressed.timeout()).isEqualTo(request.timeout());
        assertThat(readdressed.bodyPublisher()).isEqualTo(request.bodyPublisher());
    }

    @Test
    void fixedOrderIsAlwaysTheSame() {
        List<Endpoint> endpoints = List.of(endpoint("http://a", 1), endpoint("http://b", 1));
        EndpointOrder order = EndpointOrder.fixed(endpoints);
        assertThat(order.next()).isEqualTo(endpoints).isEqualTo(order.next());
    }

    @Test
    void weightsAreTheSharesOfTheFirstAndOfTheNext() {
        List<Endpoint> endpoints = List.of(endpoint("http://a", 6), endpoint("http://b", 3), endpoint("http://c", 1));
        EndpointOrder order = EndpointOrder.weighted(endpoints, new Random(1)::nextDouble);
        Map<String, Integer> count = new HashMap<>();
        int calls = 10_000;
        for (int call = 0; call < calls; call++) {
            List<Endpoint> next = order.next();
            assertThat(new HashSet<>(next)).hasSize(3);
            count.merge("first " + next.get(0).base().getHost(), 1, Integer::sum);
            if (next.get(0).equals(endpoints.get(0))) {
                count.merge("second " + next.get(1).base().getHost(), 1, Integer::sum);
            }
        }
        assertThat(count.get("first a")).isBetween(5800, 6200);
        assertThat(count.get("first b")).isBetween(2800, 3200);
        assertThat(count.get("first c")).isBetween(850, 1150);
        // Of those that are left when a has had its turn, b has three quarters.
        assertThat(count.get("second b") / (double) count.get("first a")).isBetween(.72, .78);
    }

    @Test
    void boundsOfTheRandomNumbersAreTheFirstAndTheLast() {
        List<Endpoint> endpoints = List.of(endpoint("http://a", 1), endpoint("http://b", 1_000_000));
        assertThat(EndpointOrder.weighted(endpoints, () -> 0).next()).isEqualTo(endpoints);
        assertThat(EndpointOrder.weighted(endpoints, () -> Math.nextDown(1.0))
                        .next()
                        .get(0))
                .isEqualTo(endpoints.get(1));
    }
}
