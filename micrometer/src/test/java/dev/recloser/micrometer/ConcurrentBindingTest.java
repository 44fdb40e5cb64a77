package dev.recloser.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Binding, removing and calling from several threads at the same time. */
class ConcurrentBindingTest {

    private static final int ROUNDS = 2000;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecloserMetrics metrics = RecloserMetrics.of(registry);

    private static Pipeline<String> pipeline() {
        return Pipeline.<String>named("p")
                .concurrencyLimiter(100)
                .circuitBreaker(cb -> {})
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    @Test
    void nothingIsLeftWhenAllIsRemoved() throws Exception {
        Pipeline<String> shared = pipeline();
        Pipeline<String> sameName = pipeline();
        run(List.of(
                () -> bindAndRemove(shared),
                () -> bindAndRemove(shared),
                () -> bindAndRemove(sameName),
                () -> call(shared),
                () -> call(sameName)));
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void noCallIsLostWhileOthersComeAndGo() throws Exception {
        Pipeline<String> kept = pipeline();
        Pipeline<String> sameName = pipeline();
        metrics.bind(kept);
        run(List.of(() -> bindAndRemove(sameName), () -> bindAndRemove(kept), () -> call(kept), () -> call(kept)));
        assertThat(Meters.counts(registry))
                .containsEntry("recloser.pipeline.duration{outcome=success, pipeline=p}", 2.0 * ROUNDS)
                .containsEntry("recloser.attempt.duration{attempt=first, outcome=success, pipeline=p}", 2.0 * ROUNDS);
    }

    @Test
    void countersOfAStrategyThatHasGoneDoNotComeBackWithCallsThatGoOn() throws Exception {
        metrics.bind(pipeline());
        Pipeline<String> leaving = Pipeline.<String>named("p")
                .circuitBreaker(CircuitBreaker.of("gone", cb -> {}))
                .timeout(Duration.ofSeconds(30))
                .build();
        leaving.strategy(CircuitBreaker.class).orElseThrow().isolate();
        run(List.of(() -> bindAndRemove(leaving), () -> beRejected(leaving), () -> beRejected(leaving)));
        assertThat(Meters.counts(registry).keySet()).noneMatch(meter -> meter.contains("strategy=gone"));
        assertThat(Meters.gauges(registry).keySet()).noneMatch(gauge -> gauge.contains("strategy=gone"));
    }

    private static Void beRejected(Pipeline<String> pipeline) {
        for (int i = 0; i < ROUNDS; i++) {
            assertThatThrownBy(() -> pipeline.call(() -> "never")).isNotNull();
        }
        return null;
    }

    private Void bindAndRemove(Pipeline<String> pipeline) {
        for (int i = 0; i < ROUNDS; i++) {
            Registration registration = metrics.bind(pipeline);
            Registration ofBreaker =
                    metrics.bind(pipeline.strategy(CircuitBreaker.class).orElseThrow());
            registration.remove();
            ofBreaker.remove();
        }
        return null;
    }

    private static Void call(Pipeline<String> pipeline) throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            pipeline.call(() -> "fine");
        }
        return null;
    }

    private static void run(List<Callable<Void>> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<Void>> running = new ArrayList<>(threads.invokeAll(tasks));
            for (Future<Void> each : running) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
