package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The examples of the README and of docs/, as they stand there; {@link DocumentedCodeTest} sees to that. */
class LibraryExamplesTest {

    private final PaymentService service = new PaymentService();

    /** The dependency of the examples. */
    private static final class PaymentService {

        boolean down;

        String status(String id) throws IOException {
            if (down) {
                throw new IOException("payments are down");
            }
            return "settled " + id;
        }

        CompletableFuture<String> statusAsync(String id) {
            return CompletableFuture.completedFuture("settled " + id);
        }
    }

    @Test
    void pipelineOfTheReadme() throws Exception {
        String id = "42";
        Pipeline<String> payments = Pipeline.<String>standard("payments")
                .totalTimeout(Duration.ofSeconds(5))
                .attemptTimeout(Duration.ofSeconds(1))
                .retry(r -> r.maxRetries(2).exponentialBackoff(Duration.ofMillis(200)))
                .circuitBreaker(cb -> cb.failureRatio(0.5).minimumThroughput(20))
                .build();

        String status = payments.call(() -> service.status(id));
        CompletableFuture<String> later = payments.callAsync(() -> service.statusAsync(id));

        assertThat(status).isEqualTo("settled 42");
        assertThat(later).isCompletedWithValue("settled 42");
        assertThat(payments.warnings()).isEmpty();
    }

    @Test
    void rejectionOfTheReadme() throws Exception {
        String id = "42";
        Pipeline<String> payments = Pipeline.<String>named("payments")
                .time(VirtualTime.create())
                .circuitBreaker(cb -> cb.minimumThroughput(1).breakDuration(Duration.ofSeconds(30)))
                .timeout(Duration.ofSeconds(1))
                .build();
        service.down = true;
        assertThatThrownBy(() -> payments.call(() -> service.status(id))).isInstanceOf(IOException.class);

        String answer;
        try {
            answer = payments.call(() -> service.status(id));
        } catch (CircuitOpenException open) {
            answer = "unknown, ask again in " + open.retryAfter().orElseThrow().toSeconds() + " s";
        }

        assertThat(answer).isEqualTo("unknown, ask again in 30 s");
    }

    @Test
    void listenerOfTheReadme() throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        VirtualTime time = VirtualTime.create();
        Pipeline<String> payments = Pipeline.<String>named("payments")
                .time(time)
                .circuitBreaker(cb -> cb.failureRatio(0.5).minimumThroughput(1))
                .build();

        CircuitBreaker breaker = payments.strategy(CircuitBreaker.class).orElseThrow();
        breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition change) {
                log.add(change.to() + ": " + change.failures() + " of " + change.calls() + " failed");
            }
        });

        service.down = true;
        assertThatThrownBy(() -> payments.call(() -> service.status("42"))).isInstanceOf(IOException.class);
        assertThat(log).containsExactly("OPEN: 1 of 1 failed");
    }

    @Test
    void opensAfterHalfOfTheCallsFailed() {
        VirtualTime time = VirtualTime.create();
        Pipeline<String> payments = Pipeline.<String>named("payments")
                .time(time)
                .circuitBreaker(cb -> cb.failureRatio(0.5).minimumThroughput(4).breakDuration(Duration.ofSeconds(30)))
                .timeout(Duration.ofSeconds(1))
                .build();
        CircuitBreaker breaker = payments.strategy(CircuitBreaker.class).orElseThrow();

        CallMode mode = CallMode.PLATFORM_THREAD;
        mode.start(payments).succeed("fine");
        mode.start(payments).succeed("fine");
        mode.start(payments).fail(new IOException("down"));
        OngoingCall<String> hanging = mode.start(payments);
        time.advance(Duration.ofSeconds(1)); // the fourth call times out, and the circuit opens
        hanging.awaitEnd();
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);

        time.advance(Duration.ofSeconds(30)); // the break is over, and the next call probes
        mode.start(payments).succeed("healed");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void circuitOfAService() throws Exception {
        String id = "42";
        CircuitBreaker breaker = CircuitBreaker.forService("payment-api")
                .openAfter(5, 10)
                .withinLast(Duration.ofMinutes(1))
                .when("I/O fails", e -> e instanceof IOException)
                .halfOpenAfter(Duration.ofSeconds(30));

        String status = breaker.call(() -> service.status(id));

        assertThat(status).isEqualTo("settled 42");
        assertThat(breaker.snapshot().calls()).isEqualTo(1);
        assertThat(CircuitBreakerStore.shared().find("payment-api")).contains(breaker);
        assertThat(CircuitBreakerStore.shared().remove("payment-api")).isTrue();
    }
}
