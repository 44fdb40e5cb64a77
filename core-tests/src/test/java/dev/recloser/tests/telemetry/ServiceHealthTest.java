package dev.recloser.tests.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.spi.Strategy;
import dev.recloser.telemetry.HealthReport;
import dev.recloser.telemetry.Reading;
import dev.recloser.telemetry.ServiceHealth;
import dev.recloser.testing.CallMode;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whether a service counts as degraded, and what can be read off its strategies. */
class ServiceHealthTest {

    private final VirtualTime time = VirtualTime.create();
    private final CircuitBreaker payments =
            CircuitBreaker.of("payments", cb -> cb.openAfterConsecutive(1).breakDuration(Duration.ofSeconds(30)), time);
    private final CircuitBreaker tips = CircuitBreaker.of("tips", cb -> cb.openAfterConsecutive(1), time);

    private void fail(CircuitBreaker breaker) {
        CallMode.PLATFORM_THREAD
                .start(Pipeline.<String>around(breaker, time))
                .fail(new IOException())
                .awaitEnd();
    }

    @Test
    void serviceIsDegradedUntilItsCriticalCircuitIsClosedAgain() {
        ServiceHealth health = new ServiceHealth().critical(payments).informative(tips);
        assertThat(health.report().isDegraded()).isFalse();
        fail(payments);
        time.advance(Duration.ofSeconds(10));
        HealthReport.Circuit open = health.report().circuits().get(0);
        assertThat(health.report().isDegraded()).isTrue();
        assertThat(open)
                .isEqualTo(new HealthReport.Circuit(
                        "payments",
                        CircuitState.OPEN,
                        true,
                        Duration.ofSeconds(10),
                        1.0,
                        Optional.of(Duration.ofSeconds(20))));
        payments.close();
        assertThat(health.report().isDegraded()).isFalse();
    }

    @Test
    void informativeCircuitStandsInTheReportAndChangesNothing() {
        ServiceHealth health = new ServiceHealth().informative(tips).critical(payments);
        tips.isolate();
        HealthReport report = health.report();
        assertThat(report.isDegraded()).isFalse();
        assertThat(report.circuits()).extracting(HealthReport.Circuit::name).containsExactly("payments", "tips");
        assertThat(report.circuits().get(1).state()).isEqualTo(CircuitState.ISOLATED);
    }

    @Test
    void circuitThatWasAddedTwiceStandsInTheReportOnceAndAsCritical() {
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").circuitBreaker(payments).build();
        ServiceHealth health = new ServiceHealth()
                .informative(payments)
                .critical(() -> List.of(pipeline))
                .critical(pipeline);
        assertThat(health.report().circuits())
                .singleElement()
                .extracting(HealthReport.Circuit::critical)
                .isEqualTo(true);
    }

    @Test
    void circuitsThatComeIntoAStoreAreSeen() {
        CircuitBreakerStore store = new CircuitBreakerStore(10, time);
        ServiceHealth health = new ServiceHealth().critical(store);
        assertThat(health.report().circuits()).isEmpty();
        store.get("later", new CircuitBreakerBuilder<>().build()).isolate();
        assertThat(health.report().isDegraded()).isTrue();
    }

    @Test
    void stateAndRatioOfACircuitCanBeRead() {
        assertThat(read(payments)).isEqualTo("CIRCUIT_STATE 0.0, CIRCUIT_RATIO 0.0");
        fail(payments);
        assertThat(read(payments)).isEqualTo("CIRCUIT_STATE 2.0, CIRCUIT_RATIO 1.0");
        payments.isolate();
        assertThat(read(payments)).startsWith("CIRCUIT_STATE 3.0");
        time.advance(Duration.ofSeconds(30));
        assertThat(Reading.number(CircuitState.HALF_OPEN)).isEqualTo(1);
    }

    @Test
    void whatALimiterHoldsCanBeRead() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .concurrencyLimiter(l -> l.maxConcurrent(1).queue(5))
                .rateLimiter(r -> r.tokenBucket(10, Duration.ofSeconds(1)))
                .adaptiveLimiter(a -> a.latencyGoal(Duration.ofMillis(100)))
                .build();
        var running = CallMode.STAGE.start(pipeline);
        var waiting = CallMode.STAGE.start(pipeline);
        List<String> readings =
                pipeline.strategies().stream().map(ServiceHealthTest::read).toList();
        assertThat(readings.get(0)).isEqualTo("LIMITER_IN_FLIGHT 1.0, LIMITER_QUEUED 1.0, LIMITER_LIMIT 1.0");
        assertThat(readings.get(1)).isEqualTo("LIMITER_QUEUED 0.0");
        assertThat(readings.get(2)).startsWith("LIMITER_IN_FLIGHT 1.0, LIMITER_LIMIT ");
        running.succeed("v").awaitEnd();
        waiting.awaitAttempts(1).succeed("v").awaitEnd();
    }

    private static String read(Strategy strategy) {
        return Reading.of(strategy).stream()
                .map(reading -> reading.quantity() + " " + reading.value().getAsDouble())
                .collect(Collectors.joining(", "));
    }
}
