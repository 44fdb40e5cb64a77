package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples and the tables of settings in docs/concurrency-limiter.md and docs/adaptive-limiter.md. */
class LimiterExamplesTest {

    private final OrderService service = new OrderService();
    private final String id = "42";

    /** The dependency of the examples. */
    private static final class OrderService {

        String status(String id) throws IOException {
            if (id.isEmpty()) {
                throw new IOException("no order");
            }
            return "shipped " + id;
        }
    }

    @Test
    void limiterWithAQueue() throws Exception {
        Pipeline<String> orders = Pipeline.<String>named("orders")
                .concurrencyLimiter(
                        limiter -> limiter.maxConcurrent(50).queue(20).maxWait(Duration.ofMillis(200)))
                .timeout(Duration.ofSeconds(1))
                .build();

        String status = orders.call(() -> service.status(id));

        assertThat(status).isEqualTo("shipped 42");
        assertThat(orders.strategy(ConcurrencyLimiter.class)
                        .orElseThrow()
                        .snapshot()
                        .inFlight())
                .isZero();
    }

    @Test
    void limiterWithoutAQueue() {
        Pipeline<String> orders = Pipeline.<String>named("orders")
                .concurrencyLimiter(50)
                .timeout(Duration.ofSeconds(1))
                .build();

        assertThat(orders.strategy(ConcurrencyLimiter.class)
                        .orElseThrow()
                        .snapshot()
                        .maxConcurrent())
                .isEqualTo(50);
    }

    @Test
    void limiterOfTwo() {
        ConcurrencyLimiter database = ConcurrencyLimiter.of("database", 50);
        Pipeline<String> orders =
                Pipeline.<String>named("orders").strategy(database).build();
        Pipeline<String> invoices =
                Pipeline.<String>named("invoices").strategy(database).build();

        assertThat(orders.strategies()).isEqualTo(invoices.strategies());
    }

    @Test
    void adaptiveLimiter() throws Exception {
        Pipeline<String> orders = Pipeline.<String>named("orders")
                .adaptiveLimiter(limiter -> limiter.latencyGoal(Duration.ofMillis(250)))
                .timeout(Duration.ofSeconds(1))
                .build();

        String status = orders.call(() -> service.status(id));

        assertThat(status).isEqualTo("shipped 42");
        assertThat(orders.strategy(AdaptiveLimiter.class)
                        .orElseThrow()
                        .snapshot()
                        .limit())
                .isEqualTo(20);
    }

    @Test
    void adaptiveLimiterThatKnowsWhatOverloadLooksLike() throws Exception {
        Pipeline<Integer> orders = Pipeline.<Integer>named("orders")
                .adaptiveLimiter(limiter -> limiter.latencyGoal(Duration.ofMillis(250))
                        .handleResult(status -> status == 429 || status == 503))
                .timeout(Duration.ofSeconds(1))
                .build();

        assertThat(orders.call(() -> 503)).isEqualTo(503);
    }

    @Test
    void defaultsOfTheConcurrencyLimiterAreThoseOfTheTable() {
        SettingsTable table = new SettingsTable("concurrency-limiter.md", "setting");
        ConcurrencyLimiter.of("limiter", settings -> {})
                .settings()
                .forEach((setting, value) ->
                        assertThat(table.cell(setting, "default")).as(setting).contains(value));
    }

    @Test
    void defaultsOfTheAdaptiveLimiterAreThoseOfTheTable() {
        SettingsTable table = new SettingsTable("adaptive-limiter.md", "setting");
        Map<String, String> defaults =
                new HashMap<>(AdaptiveLimiter.of("limiter", settings -> settings.latencyGoal(Duration.ofSeconds(1)))
                        .settings());
        defaults.remove("failuresAre");
        defaults.put("latencyGoal", "none, must be set");
        defaults.merge("initialLimit", ", within the two bounds", String::concat);
        defaults.forEach((setting, value) ->
                assertThat(table.cell(setting, "default")).as(setting).contains(value));
    }
}
