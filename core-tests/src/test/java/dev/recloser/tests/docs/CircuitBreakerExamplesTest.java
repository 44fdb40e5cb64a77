package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitOpenException;
import dev.recloser.OutcomeClass;
import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.RejectedException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.CircuitBreakerStore;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.retry.Retry;
import dev.recloser.spi.Ticket;
import dev.recloser.testing.CircuitDriver;
import dev.recloser.testing.ScriptedCall;
import dev.recloser.testing.TransitionRecorder;
import dev.recloser.time.VirtualTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The examples of docs/circuit-breaker.md, as they stand there; {@link DocumentedCodeTest} sees to that. */
class CircuitBreakerExamplesTest {

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final PaymentService service = new PaymentService();

    /** The dependency of the examples. */
    private static final class PaymentService {

        String status(String id) throws IOException {
            if (id.isEmpty()) {
                throw new IOException("no such payment");
            }
            return "settled " + id;
        }

        String ping() {
            return "pong";
        }
    }

    /** A dependency that asks to be left alone. */
    private static final class BusyException extends RuntimeException {

        private static final long serialVersionUID = 1;

        Duration retryAfter() {
            return Duration.ofSeconds(45);
        }
    }

    /** The code under test. */
    private static final class StatusPage {

        private final Pipeline<String> payments;
        private final Callable<String> service;

        StatusPage(Pipeline<String> payments, Callable<String> service) {
            this.payments = payments;
            this.service = service;
        }

        String show() {
            try {
                return payments.call(service::call);
            } catch (CircuitOpenException open) {
                return "unknown"
                        + open.retryAfter()
                                .map(wait -> ", ask again in " + wait.toSeconds() + " s")
                                .orElse("");
            } catch (Exception e) {
                return "failed";
            }
        }
    }

    @Test
    void firstExample() throws Exception {
        Pipeline<String> payments = Pipeline.<String>named("payments")
                .circuitBreaker(cb -> cb.failureRatio(0.5)
                        .minimumThroughput(20)
                        .samplingDuration(Duration.ofSeconds(10))
                        .breakDuration(Duration.ofSeconds(10)))
                .timeout(Duration.ofMillis(800))
                .build();

        assertThat(payments.warnings()).isEmpty();
        assertThat(payments.call(() -> service.status("42"))).isEqualTo("settled 42");
    }

    @Test
    void outcomes() throws Exception {
        Pipeline<Integer> orders = Pipeline.<Integer>named("orders")
                .circuitBreaker(cb -> cb.handle(IOException.class)
                        .ignore(FileNotFoundException.class) // the caller asked for something that is not there
                        .handleResult(status -> status >= 500))
                .timeout(Duration.ofSeconds(1))
                .build();

        assertThat(orders.call(() -> 200)).isEqualTo(200);
        assertThat(orders.call(() -> 503)).isEqualTo(503);
        assertThatThrownBy(() -> orders.call(() -> {
                    throw new FileNotFoundException();
                }))
                .isInstanceOf(FileNotFoundException.class);
        CircuitBreaker breaker = orders.strategy(CircuitBreaker.class).orElseThrow();
        assertThat(breaker.snapshot().calls()).isEqualTo(2);
        assertThat(breaker.snapshot().failures()).isEqualTo(1);
    }

    @Test
    void slowCalls() {
        CircuitBreaker search = CircuitBreaker.of(
                "search",
                cb -> cb.failureRatio(0.5)
                        .minimumThroughput(20)
                        .slowCalls(Duration.ofMillis(500), 0.8)
                        .slowCallMinimumThroughput(20));

        assertThat(search.options().slowCallRule()).isPresent();
    }

    @Test
    void retryAfterOfTheDependency() {
        CircuitBreaker quotes = CircuitBreaker.of(
                "quotes",
                cb -> cb.openAfterConsecutive(3)
                        .maximumBreakDuration(Duration.ofMinutes(2))
                        .breakDurationFrom((value, error) -> error instanceof BusyException busy
                                ? Optional.of(busy.retryAfter())
                                : Optional.empty()));

        VirtualTime time = VirtualTime.create();
        CircuitDriver.of(quotes, time).open(new BusyException());
        RejectedException rejection = (RejectedException) quotes.acquire();
        assertThat(rejection.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(45));
    }

    @Test
    void healthCheck() {
        CircuitBreaker ledger = CircuitBreaker.of(
                "ledger",
                cb -> cb.openAfter(5, 10)
                        .healthCheck(() -> service.ping().equals("pong"))
                        .probeLease(Duration.ofSeconds(3)));

        VirtualTime time = VirtualTime.create();
        CircuitBreakerOptions<Object> options = new CircuitBreakerBuilder<>()
                .healthCheck(ledger.options().healthCheck().orElseThrow())
                .build();
        CircuitBreaker virtual = CircuitBreaker.of("ledger", options, time);
        CircuitDriver.of(virtual, time).open();
        time.advance(Duration.ofSeconds(5));
        assertThat(virtual.acquire()).as("the call that starts the check").isInstanceOf(CircuitOpenException.class);
        assertThat(virtual.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void choosingSettings() {
        CircuitBreakerOptions<String> options = new CircuitBreakerBuilder<String>()
                .failureRatio(0.5)
                .minimumThroughput(20)
                .samplingDuration(Duration.ofSeconds(10))
                .breakDuration(Duration.ofSeconds(10))
                .breakJitter(0.2)
                .build();

        assertThat(options.advise(40)).isEmpty();
        assertThat(options.advise(4)).isEmpty();

        List<String> advice = options.advise(1); // calls per second that one instance makes
        advice.forEach(log::add);

        assertThat(log).hasSize(1);
        CircuitBreakerOptions<String> lowTraffic = new CircuitBreakerBuilder<String>()
                .openAfter(5, 10)
                .withinLast(Duration.ofMinutes(5))
                .build();
        assertThat(lowTraffic.advise(1)).isEmpty();
    }

    /** Five seconds at 40 calls per second, as the worked example says. */
    @Test
    void outageOfTheWorkedExampleIsNoticedAfterHalfOfTheSamplingTime() {
        VirtualTime time = VirtualTime.create();
        CircuitBreakerOptions<Object> options = new CircuitBreakerBuilder<>()
                .failureRatio(0.5)
                .minimumThroughput(20)
                .samplingDuration(Duration.ofSeconds(10))
                .build();
        CircuitBreaker breaker = CircuitBreaker.of("payments", options, time);
        for (int i = 0; i < 40 * 30; i++) {
            play(breaker, OutcomeClass.SUCCESS, time);
        }
        int failed = 0;
        while (breaker.state() == CircuitState.CLOSED) {
            play(breaker, OutcomeClass.FAILURE, time);
            failed++;
        }
        assertThat(failed).isBetween(180, 220);
    }

    private static void play(CircuitBreaker breaker, OutcomeClass outcome, VirtualTime time) {
        ((Ticket) breaker.acquire()).settle(outcome, null, null);
        time.advance(Duration.ofMillis(25));
    }

    @Test
    void introducingABreaker() {
        CircuitBreaker breaker = CircuitBreaker.of("payments", cb -> cb.observeOnly(true));

        CircuitDriver.of(breaker, VirtualTime.create()).open();
        assertThat(breaker.acquire()).as("open and only observing").isInstanceOf(Ticket.class);

        breaker.changeSettings(cb -> cb.failureRatio(0.5).minimumThroughput(20)); // correct
        breaker.changeSettings(cb -> cb.observeOnly(false)); // arm

        assertThat(breaker.acquire()).as("open and armed").isInstanceOf(CircuitOpenException.class);
    }

    @Test
    void listening() {
        VirtualTime time = VirtualTime.create();
        CircuitBreakerOptions<Object> options =
                new CircuitBreakerBuilder<>().openAfterConsecutive(2).build();
        CircuitBreaker breaker = CircuitBreaker.of("payments", options, time);

        Registration registration = breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition change) {
                log.add(change.circuit() + " " + change.from() + " -> " + change.to() + ", " + change.reason());
            }
        });

        CircuitDriver driver = CircuitDriver.of(breaker, time).open();
        registration.remove();
        driver.close();
        assertThat(log).containsExactly("payments CLOSED -> OPEN, FAILURES");
    }

    @Test
    void oneCircuitForAService() throws Exception {
        String id = "42";

        CircuitBreaker circuit = CircuitBreaker.forService("payment-api")
                .openAfter(5, 10)
                .withinLast(Duration.ofMinutes(1))
                .when("I/O fails", e -> e instanceof IOException)
                .halfOpenAfter(Duration.ofSeconds(30)); // ends the description

        String status = circuit.call(() -> service.status(id));

        Retry twice = Retry.of("payment-api", r -> r.maxRetries(2).constantDelay(Duration.ofMillis(100)));

        String retried = circuit.call(twice, () -> service.status(id));

        assertThat(retried).isEqualTo(status);
        assertThat(status).isEqualTo("settled 42");
        assertThat(CircuitBreakerStore.shared().find("payment-api")).containsSame(circuit);
        assertThatThrownBy(() -> CircuitBreaker.forService("payment-api").halfOpenAfter(Duration.ofSeconds(20)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("breakDuration is 30 s, asked for was 20 s");
        assertThat(CircuitBreakerStore.shared().remove("payment-api")).isTrue();
    }

    @Test
    void testingCodeThatUsesABreaker() {
        VirtualTime time = VirtualTime.selfAdvancing();
        ScriptedCall<String> service = ScriptedCall.<String>under(time)
                .returnsAfter(Duration.ofSeconds(2), "too late")
                .fails(new IOException("down"))
                .times(3)
                .returns("settled");
        Pipeline<String> payments = Pipeline.<String>named("payments")
                .time(time)
                .circuitBreaker(cb -> cb.openAfterConsecutive(4).breakDuration(Duration.ofSeconds(30)))
                .timeout(Duration.ofSeconds(1))
                .build();
        StatusPage page = new StatusPage(payments, service::call);
        CircuitBreaker breaker = payments.strategy(CircuitBreaker.class).orElseThrow();

        try (TransitionRecorder recorder = TransitionRecorder.on(breaker)) {
            for (int i = 0; i < 4; i++) {
                page.show(); // one timeout and three failures
            }
            assertThat(page.show()).isEqualTo("unknown, ask again in 30 s");
            assertThat(service.calls()).isEqualTo(4); // the service was not called again

            time.advance(Duration.ofSeconds(30));
            assertThat(page.show()).isEqualTo("settled");
            recorder.assertStates(CircuitState.OPEN, CircuitState.HALF_OPEN, CircuitState.CLOSED);
        }
    }

    @Test
    void testingOneState() {
        VirtualTime time = VirtualTime.create();
        Pipeline<String> payments = Pipeline.<String>named("payments")
                .time(time)
                .circuitBreaker(cb -> cb.openAfterConsecutive(4))
                .build();
        StatusPage page = new StatusPage(payments, () -> "settled");
        CircuitBreaker breaker = payments.strategy(CircuitBreaker.class).orElseThrow();

        CircuitDriver driver = CircuitDriver.of(breaker, time);

        driver.open();
        assertThat(page.show()).startsWith("unknown");

        driver.halfOpen(); // the next call probes
        assertThat(page.show()).isEqualTo("settled");

        Ticket probe = driver.startProbe(); // half-open again, and somebody else probes
        assertThat(page.show()).startsWith("unknown");
        probe.settle(OutcomeClass.SUCCESS, null, null);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }
}
