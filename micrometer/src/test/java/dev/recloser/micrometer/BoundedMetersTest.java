package dev.recloser.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.http.RecloserHttpClient;
import dev.recloser.time.TimeSource;
import dev.recloser.timeout.Timeout;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However many names, keys, addresses and messages there are, there are not many meters. */
@Tag("once")
class BoundedMetersTest {

    private static final int MANY = 100_000;
    private static final int MOST = 50;

    /** What one pipeline of the kind in these tests can have: its timers, its counters and its gauges. */
    private static final int EACH = 20;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecloserMetrics metrics =
            RecloserMetrics.builder(registry).maxPipelines(MOST).build();

    private void assertBounded() {
        assertThat(Meters.size(registry)).isPositive().isLessThanOrEqualTo((MOST + 1) * EACH);
    }

    @Test
    void namesOfPipelines() throws Exception {
        for (int i = 0; i < MANY; i++) {
            Pipeline<String> pipeline = Pipeline.<String>named("p" + i).build();
            metrics.bind(pipeline);
            pipeline.call(() -> "fine");
        }
        assertBounded();
        assertThat(Meters.counts(registry))
                .containsEntry("recloser.pipeline.duration{outcome=success, pipeline=other}", (double) (MANY - MOST));
    }

    @Test
    void namesOfBreakers() {
        for (int i = 0; i < MANY; i++) {
            CircuitBreaker breaker = CircuitBreaker.of("cb" + i, cb -> {});
            metrics.bind(breaker);
            breaker.isolate();
        }
        assertBounded();
    }

    @Test
    void namesOfStrategiesWithinOneNameOfAPipeline() {
        for (int i = 0; i < MANY / 5; i++) {
            Pipeline<String> pipeline = Pipeline.<String>named("payments")
                    .circuitBreaker(CircuitBreaker.of("tenant-" + i, cb -> {}))
                    .timeout(Duration.ofSeconds(1))
                    .build();
            metrics.bind(pipeline);
            pipeline.strategy(CircuitBreaker.class).orElseThrow().isolate();
        }
        assertThat(Meters.size(registry)).isPositive().isLessThanOrEqualTo(102 * 3);
    }

    @Test
    void keysOfAStoreWhoseMetersGoWithTheirCircuits() {
        int capacity = 20;
        CircuitBreakerStore store = new CircuitBreakerStore(capacity, TimeSource.system());
        store.forEachCircuit(metrics::bind);
        CircuitBreakerOptions<Object> options = new CircuitBreakerBuilder<>().build();
        for (int i = 0; i < MANY; i++) {
            store.get("service-" + i, options);
        }
        assertThat(registry.find(RecloserMeter.CIRCUIT_STATE.meterName()).meters())
                .hasSize(capacity);
        assertThat(Meters.size(registry)).isEqualTo(2 * capacity);
    }

    @Test
    void messagesOfExceptions() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .circuitBreaker(cb -> cb.failureRatio(1).minimumThroughput(1_000_000))
                .build();
        metrics.bind(pipeline);
        IntStream.range(0, MANY).forEach(i -> fail(pipeline, new IOException("message " + i)));
        assertBounded();
        assertThat(Meters.counts(registry))
                .containsEntry("recloser.pipeline.duration{outcome=failure, pipeline=p}", (double) MANY);
    }

    private static void fail(Pipeline<String> pipeline, IOException failure) {
        assertThat(pipeline.callAsync(() -> CompletableFuture.failedFuture(failure)))
                .isCompletedExceptionally();
    }

    @Test
    void addressesOfRequestsAndTheirHosts() throws Exception {
        RecloserHttpClient client = RecloserHttpClient.newBuilder("client")
                .maxPartitions(10)
                .around(new AnsweringTransport())
                .build();
        client.forEachPipeline(metrics::bind);
        for (int i = 0; i < MANY; i++) {
            URI address = URI.create("http://host-" + i / 1000 + "/path/" + i + "?query=" + i);
            client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
        }
        assertThat(Meters.size(registry)).isPositive().isLessThanOrEqualTo(11 * EACH);
    }

    @Test
    void namesOfLimitsThatCallsBringAlong() {
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").timeout(Duration.ofSeconds(1)).build();
        metrics.bind(pipeline);
        for (int i = 0; i < 1000; i++) {
            Timeout over = Timeout.of("limit-" + i, t -> t.limit(Duration.ofNanos(1)));
            pipeline.within(over)
                    .callAsync(CompletableFuture::new)
                    .handle((value, error) -> error)
                    .join();
        }
        assertThat(registry.find(RecloserMeter.EVENTS.meterName()).counters()).hasSizeBetween(2, 202);
        assertThat(Meters.counts(registry))
                .hasEntrySatisfying(
                        "recloser.events{event=timed_out, pipeline=p, strategy=other}",
                        count -> assertThat(count).isPositive());
    }
}
