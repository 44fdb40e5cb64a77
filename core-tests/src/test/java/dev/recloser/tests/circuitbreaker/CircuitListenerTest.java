package dev.recloser.tests.circuitbreaker;

import static dev.recloser.circuitbreaker.CircuitState.CLOSED;
import static dev.recloser.circuitbreaker.CircuitState.HALF_OPEN;
import static dev.recloser.circuitbreaker.CircuitState.ISOLATED;
import static dev.recloser.circuitbreaker.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.OutcomeClass;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.circuitbreaker.CircuitTransition.Reason;
import dev.recloser.spi.Ticket;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.tests.Await;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What listeners are told, and that nothing they do harms anyone. */
@Timeout(60)
class CircuitListenerTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    @ParameterizedTest
    @MethodSource(MODES)
    void listenerIsToldOfRejectedLateAndLost(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        List<String> told = new CopyOnWriteArrayList<>();
        circuit.breaker.addListener(new CircuitListener() {
            @Override
            public void rejected(CircuitBreaker breaker) {
                told.add("rejected by " + breaker.name());
            }

            @Override
            public void late(CircuitBreaker breaker, OutcomeClass outcome) {
                told.add("late " + outcome);
            }

            @Override
            public void probeLost(CircuitBreaker breaker) {
                told.add("lost");
            }
        });
        OngoingCall<String> late = circuit.startAdmitted();
        circuit.opened();
        circuit.assertRejects();
        late.succeed("late");
        circuit.advance(5);
        OngoingCall<String> lost = circuit.startAdmitted();
        circuit.advance(5);
        circuit.play("S");
        lost.cancel();
        assertThat(told).containsExactly("rejected by p", "late SUCCESS", "lost", "late IGNORED");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void transitionsTellWhatLedToThem(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        circuit.advance(5);
        circuit.play("F");
        circuit.advance(5);
        circuit.play("I");
        circuit.advance(5);
        circuit.play("S");
        circuit.breaker.isolate();
        circuit.breaker.isolate();
        circuit.breaker.close();
        circuit.breaker.close();
        assertThat(circuit.transitions)
                .extracting(CircuitTransition::reason)
                .containsExactly(
                        Reason.FAILURES,
                        Reason.BREAK_OVER,
                        Reason.PROBE_FAILED,
                        Reason.BREAK_OVER,
                        Reason.PROBE_INCONCLUSIVE,
                        Reason.BREAK_OVER,
                        Reason.PROBES_SUCCEEDED,
                        Reason.BY_HAND,
                        Reason.BY_HAND);
        assertThat(circuit.transitions)
                .extracting(CircuitTransition::to)
                .containsExactly(OPEN, HALF_OPEN, OPEN, HALF_OPEN, OPEN, HALF_OPEN, CLOSED, ISOLATED, CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void listenerThatThrowsChangesNoOutcome(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        circuit.breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                throw new IllegalStateException("a bug in a listener");
            }

            @Override
            public void rejected(CircuitBreaker breaker) {
                throw new AssertionError("another");
            }
        });
        circuit.opened();
        circuit.assertRejects();
        circuit.advance(5);
        circuit.play("S");
        circuit.assertState(CLOSED);
        assertThat(circuit.transitions).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void listenerMayCallBackAndRemoveItself(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5);
        AtomicReference<Registration> self = new AtomicReference<>();
        AtomicInteger told = new AtomicInteger();
        self.set(circuit.breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                told.incrementAndGet();
                circuit.breaker.isolate();
                circuit.breaker.close();
                self.get().remove();
            }
        }));
        circuit.play("FFFF");
        circuit.assertState(CLOSED);
        assertThat(told).hasValue(1);
        assertThat(circuit.transitions).extracting(CircuitTransition::to).containsExactly(OPEN, ISOLATED, CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void listenerIsToldNothingFromBeforeItCame(CallMode mode) {
        Circuit circuit = Circuit.of(mode, .5, 4, 10, 5).opened();
        List<CircuitTransition> told = new ArrayList<>();
        circuit.breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                told.add(transition);
            }
        });
        circuit.breaker.close();
        assertThat(told).extracting(CircuitTransition::to).containsExactly(CLOSED);
    }

    @Test
    void listenerThatBlocksDelaysNeitherCallsNorOtherListeners() throws Exception {
        CircuitBreaker breaker = onRealTime();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch otherTold = new CountDownLatch(2);
        List<CircuitTransition> late = new CopyOnWriteArrayList<>();
        breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                blocked.countDown();
                awaitUninterruptibly(release);
                late.add(transition);
            }
        });
        breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                otherTold.countDown();
            }
        });
        ((Ticket) breaker.acquire()).settle(OutcomeClass.FAILURE, null, null);
        assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
        breaker.close();
        String fine = breaker.call(() -> "fine");
        assertThat(fine).isEqualTo("fine");
        assertThat(otherTold.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(late).isEmpty();
        release.countDown();
    }

    @Test
    void racingTransitionsAreToldInOrderAndNoneIsLost() throws Exception {
        CircuitBreaker breaker = onRealTime();
        List<CircuitTransition> told = new CopyOnWriteArrayList<>();
        breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                told.add(transition);
            }
        });
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int kind = t;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 500; i++) {
                    if (kind == 0) {
                        breaker.isolate();
                    } else if (kind == 1) {
                        breaker.close();
                    } else if (breaker.acquire() instanceof Ticket ticket) {
                        ticket.settle(OutcomeClass.FAILURE, null, null);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        // The last one, by which it is known that all before it have been told.
        breaker.isolate();
        breaker.close();
        breaker.isolate();
        Await.until(() -> told.size() >= 2
                && told.get(told.size() - 1).to() == ISOLATED
                && told.get(told.size() - 2).to() == CLOSED);
        assertThat(told.get(0).from()).isEqualTo(CLOSED);
        for (int i = 1; i < told.size(); i++) {
            assertThat(told.get(i).from())
                    .as("transition " + i)
                    .isEqualTo(told.get(i - 1).to());
        }
    }

    private static CircuitBreaker onRealTime() {
        return CircuitBreaker.of(
                "raced",
                new CircuitBreakerBuilder<>()
                        .failureRatio(1)
                        .minimumThroughput(1)
                        .breakDuration(Duration.ofSeconds(60))
                        .build(),
                TimeSource.system());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
