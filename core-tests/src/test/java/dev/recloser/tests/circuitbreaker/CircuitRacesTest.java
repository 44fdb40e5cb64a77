package dev.recloser.tests.circuitbreaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.OutcomeClass;
import dev.recloser.RejectedException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Ticket;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads on one circuit. The finer races are tested with jcstress. */
@Timeout(120)
class CircuitRacesTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void oneOf64ThreadsProbes() throws Exception {
        VirtualTime time = VirtualTime.create();
        CircuitBreaker breaker = breaker(time, Duration.ofSeconds(5));
        fail(breaker);
        time.advance(Duration.ofSeconds(5));
        CyclicBarrier start = new CyclicBarrier(64);
        List<Future<Admittance>> answers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            answers.add(threads.submit(() -> {
                start.await();
                return breaker.acquire();
            }));
        }
        int probes = 0;
        for (Future<Admittance> answer : answers) {
            if (answer.get() instanceof RejectedException rejection) {
                assertThat(rejection.retryAfter())
                        .hasValueSatisfying(wait -> assertThat(wait).isGreaterThanOrEqualTo(Duration.ZERO));
            } else {
                probes++;
            }
        }
        assertThat(probes).isEqualTo(1);
        assertThat(breaker.snapshot().rejected()).isEqualTo(63);
    }

    @Test
    void isolatingClosingAndTrippingAtOnceLeavesASoundCircuit() throws Exception {
        CircuitBreaker breaker = breaker(VirtualTime.create(), Duration.ofSeconds(60));
        int rounds = 100_000;
        Future<?> isolates = threads.submit(repeated(rounds, breaker::isolate));
        Future<?> closes = threads.submit(repeated(rounds, breaker::close));
        Future<?> trips = threads.submit(repeated(rounds, () -> fail(breaker)));
        while (!isolates.isDone() || !closes.isDone() || !trips.isDone()) {
            assertSound(breaker.snapshot());
        }
        isolates.get();
        closes.get();
        trips.get();
        breaker.close();
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    /** The clock stands still, so the break is never over. */
    private static void assertSound(CircuitSnapshot seen) {
        assertThat(seen.state()).isNotEqualTo(CircuitState.HALF_OPEN);
        if (seen.state() == CircuitState.OPEN) {
            assertThat(seen.nextProbe()).contains(Duration.ofSeconds(60));
        } else {
            assertThat(seen.nextProbe()).isEmpty();
        }
    }

    private static Callable<Void> repeated(int times, Runnable action) {
        return () -> {
            for (int i = 0; i < times; i++) {
                action.run();
            }
            return null;
        };
    }

    private static void fail(CircuitBreaker breaker) {
        if (breaker.acquire() instanceof Ticket ticket) {
            ticket.settle(OutcomeClass.FAILURE, null, null);
        }
    }

    private static CircuitBreaker breaker(VirtualTime time, Duration breakDuration) {
        return CircuitBreaker.of(
                "raced",
                new CircuitBreakerBuilder<>()
                        .failureRatio(1)
                        .minimumThroughput(1)
                        .breakDuration(breakDuration)
                        .build(),
                time);
    }
}
