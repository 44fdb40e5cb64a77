package dev.recloser.tests.circuitbreaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitOpenException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.retry.Retry;
import dev.recloser.testing.CallMode;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A circuit with a retry inside it, without a pipeline: all attempts of a call are one call to the circuit. */
class CircuitRetryTest {

    private final VirtualTime time = VirtualTime.create();
    private final CircuitBreaker breaker = CircuitBreaker.of("orders", cb -> cb.openAfter(2, 2), time);
    private final Retry retry = Retry.of("retry", r -> r.maxRetries(2).constantDelay(Duration.ZERO), time);
    private final AtomicInteger attempts = new AtomicInteger();

    /** Calls with work that fails so many times first. */
    private String call(CallMode mode, Retry inside, int failures) throws Throwable {
        if (mode == CallMode.STAGE) {
            try {
                return breaker.<String>callAsync(
                                inside,
                                () -> attempts.incrementAndGet() <= failures
                                        ? CompletableFuture.failedFuture(new IOException())
                                        : CompletableFuture.completedFuture("fine"))
                        .join();
            } catch (CompletionException e) {
                throw e.getCause();
            }
        }
        return breaker.call(inside, () -> {
            if (attempts.incrementAndGet() <= failures) {
                throw new IOException();
            }
            return "fine";
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"PLATFORM_THREAD", "STAGE"})
    void allAttemptsAreOneCall(CallMode mode) throws Throwable {
        assertThat(call(mode, retry, 2)).isEqualTo("fine");
        assertThat(attempts).hasValue(3);
        assertThat(breaker.snapshot().calls()).isEqualTo(1);
        assertThat(breaker.snapshot().failures()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"PLATFORM_THREAD", "STAGE"})
    void callThatFailsInAllAttemptsIsOneFailure(CallMode mode) {
        assertThatThrownBy(() -> call(mode, retry, 100)).isInstanceOf(IOException.class);
        assertThat(attempts).hasValue(3);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThatThrownBy(() -> call(mode, retry, 100)).isInstanceOf(IOException.class);
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        assertThatThrownBy(() -> call(mode, retry, 100)).isInstanceOf(CircuitOpenException.class);
        assertThat(attempts).hasValue(6);
    }

    @ParameterizedTest
    @EnumSource(names = {"PLATFORM_THREAD", "STAGE"})
    void eachCallHasTheRetryThatItAskedFor(CallMode mode) throws Throwable {
        Retry none = Retry.of("none", r -> r.maxRetries(0), time);
        assertThatThrownBy(() -> call(mode, none, 1)).isInstanceOf(IOException.class);
        attempts.set(0);
        assertThat(call(mode, retry, 1)).isEqualTo("fine");
        assertThat(retry.snapshot().retried()).isEqualTo(1);
        assertThat(none.snapshot().exhausted()).isEqualTo(1);
    }
}
