package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallListener;
import dev.recloser.CallOutcome;
import dev.recloser.CallWatch;
import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.http.RecloserHttpClient;
import dev.recloser.telemetry.HealthReport;
import dev.recloser.telemetry.PipelineLog;
import dev.recloser.telemetry.ServiceHealth;
import dev.recloser.telemetry.TransitionText;
import dev.recloser.tests.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples of docs/telemetry.md. */
class TelemetryExamplesTest {

    private final Pipeline<String> payments = Pipeline.<String>named("payments")
            .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO))
            .as("again")
            .circuitBreaker(cb -> cb.openAfterConsecutive(2))
            .as("circuit")
            .build();

    private void failTwice() throws InterruptedException {
        try {
            payments.call(() -> {
                throw new IOException("refused");
            });
        } catch (IOException | RuntimeException expected) {
            assertThat(expected).hasMessageContaining("refused");
        }
    }

    @Test
    void eventsOfSingleCalls() throws InterruptedException {
        List<String> seen = new CopyOnWriteArrayList<>();
        Registration registration = payments.addListener((PipelineEvent event) ->
                seen.add(event.strategy() + " " + event.kind() + " after attempt " + event.attempt()));
        failTwice();
        registration.remove();
        assertThat(seen).containsExactly("again RETRY after attempt 1", "again RETRIES_EXHAUSTED after attempt 2");
    }

    @Test
    void transitionsOfACircuit() throws InterruptedException {
        List<String> seen = new CopyOnWriteArrayList<>();
        CircuitBreaker circuit = payments.strategy(CircuitBreaker.class).orElseThrow();
        circuit.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                seen.add(transition.circuit() + " " + TransitionText.describe(transition));
            }
        });
        failTwice();
        Await.until(() -> !seen.isEmpty());
        assertThat(seen).containsExactly("circuit opened: 100 % of 2 calls failed; next probe in 5 s");
    }

    @Test
    void everyCall() throws InterruptedException {
        LongAdder successes = new LongAdder();
        LongAdder nanosOfAll = new LongAdder();
        CallWatch counting = new CallWatch() {
            @Override
            public void ended(CallOutcome outcome, long nanos) {
                nanosOfAll.add(nanos);
                if (outcome == CallOutcome.SUCCESS) {
                    successes.increment();
                }
            }
        };
        payments.addCallListener(pipeline -> counting); // one object for all calls
        payments.call(() -> "paid");
        assertThat(successes.sum()).isEqualTo(1);
        assertThat(nanosOfAll.sum()).isPositive();
    }

    private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    @Test
    void contextOfTheCaller() throws InterruptedException {
        CallListener tenant = pipeline -> {
            String ofCaller = TENANT.get();
            return new CallWatch() {
                @Override
                public Scope enter(int attempt, int hedge) {
                    String before = TENANT.get();
                    TENANT.set(ofCaller);
                    return () -> TENANT.set(before);
                }
            };
        };
        Pipeline<@Nullable String> hedged = Pipeline.<@Nullable String>named("quotes")
                .hedging(h -> h.delay(Duration.ofSeconds(1)))
                .build();
        hedged.addCallListener(tenant);
        TENANT.set("acme");
        assertThat(hedged.<RuntimeException>call(TENANT::get)).isEqualTo("acme");
    }

    @Test
    void logs() {
        Registration log = PipelineLog.attach(payments);
        log.remove();
        assertThat(payments.warnings()).isNotNull();
    }

    @Test
    void health() throws InterruptedException {
        CircuitBreaker recommendations = CircuitBreaker.of("recommendations", cb -> cb.openAfterConsecutive(5));
        CircuitBreakerStore store = CircuitBreakerStore.shared();
        RecloserHttpClient client = RecloserHttpClient.newHttpClient("shop");
        ServiceHealth health = new ServiceHealth()
                .critical(payments)
                .informative(recommendations)
                .informative(store)
                .informative(() -> client.pipelines().values());

        failTwice();

        HealthReport report = health.report();
        assertThat(report.isDegraded()).isTrue(); // 200 with a warning, or what your platform takes for it
        assertThat(report.circuits().get(0).name()).isEqualTo("circuit");
    }

    @Test
    void pipelinesThatComeAndGo() {
        RecloserHttpClient client = RecloserHttpClient.newHttpClient("shop");
        Registration all = client.forEachPipeline(PipelineLog::attach);
        Registration circuits = CircuitBreakerStore.shared().forEachCircuit(PipelineLog::attach);
        circuits.remove();
        all.remove();
        assertThat(client.pipelines()).isEmpty();
    }
}
