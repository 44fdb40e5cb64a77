package dev.recloser.tests.concurrencylimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Classifier;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole calls through a limiter. */
class ConcurrencyLimiterCallsTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();

    private Pipeline<String> pipeline(ConcurrencyLimiter limiter) {
        return Pipeline.<String>named("orders")
                .time(time)
                .timeout(Duration.ofSeconds(1))
                .strategy(limiter, Classifier.defaults())
                .build();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callBeyondTheLimitIsRejectedUntilAnotherHasEnded(CallMode mode) {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of("limiter", 2);
        Pipeline<String> pipeline = pipeline(limiter);
        OngoingCall<String> first = mode.start(pipeline);
        OngoingCall<String> second = mode.start(pipeline);
        OngoingCall<String> third = mode.start(pipeline);
        assertThat(third.error()).isInstanceOf(LimitReachedException.class);
        assertThat(third.attempts()).isZero();
        first.fail(new IOException("down")).awaitEnd();
        OngoingCall<String> fourth = mode.start(pipeline);
        assertThat(fourth.succeed("fourth").value()).isEqualTo("fourth");
        assertThat(second.succeed("second").value()).isEqualTo("second");
        assertThat(limiter.snapshot().inFlight()).isZero();
    }

    /** Five wait for eight permits, two more are rejected; the waiters time out, and then all eight finish. */
    @ParameterizedTest
    @MethodSource(MODES)
    void eightPermitsAreFreeAfterFiveWaitersTimedOut(CallMode mode) {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of(
                "limiter", settings -> settings.maxConcurrent(8).queue(5));
        Pipeline<String> patient = Pipeline.<String>named("patient")
                .time(time)
                .strategy(limiter, Classifier.defaults())
                .build();
        List<OngoingCall<String>> holders = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            holders.add(mode.start(patient));
        }
        Pipeline<String> pipeline = pipeline(limiter);
        List<OngoingCall<String>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(mode.start(pipeline));
        }
        assertThat(limiter.snapshot().queued()).isEqualTo(5);
        for (int i = 0; i < 2; i++) {
            assertThat(mode.start(pipeline).error()).isInstanceOf(LimitReachedException.class);
        }
        time.advance(Duration.ofSeconds(1));
        for (OngoingCall<String> waiter : waiters) {
            assertThat(waiter.error()).isInstanceOf(TimedOutException.class);
            assertThat(waiter.attempts()).isZero();
        }
        assertThat(limiter.snapshot().queued()).isZero();
        assertThat(limiter.snapshot().gaveUpWaiting()).isEqualTo(5);
        assertThat(limiter.snapshot().inFlight()).isEqualTo(8);
        for (OngoingCall<String> holder : holders) {
            assertThat(holder.succeed("done").value()).isEqualTo("done");
        }
        assertThat(limiter.snapshot().inFlight()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void waitersRunInOrder(CallMode mode) {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of(
                "limiter", settings -> settings.maxConcurrent(1).queue(2));
        Pipeline<String> pipeline = pipeline(limiter);
        OngoingCall<String> first = mode.start(pipeline);
        OngoingCall<String> second = mode.start(pipeline);
        OngoingCall<String> third = mode.start(pipeline);
        first.succeed("first").awaitEnd();
        awaitAttempt(second);
        assertThat(third.attempts()).isZero();
        second.succeed("second").awaitEnd();
        awaitAttempt(third);
        assertThat(third.succeed("third").value()).isEqualTo("third");
        assertThat(limiter.snapshot().inFlight()).isZero();
    }

    private static void awaitAttempt(OngoingCall<String> call) {
        while (call.attempts() == 0) {
            call.awaitRest();
        }
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void waiterWhoIsCancelledLeavesTheQueue(CallMode mode) {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of(
                "limiter", settings -> settings.maxConcurrent(1).queue(1));
        Pipeline<String> pipeline = pipeline(limiter);
        OngoingCall<String> holder = mode.start(pipeline);
        OngoingCall<String> waiter = mode.start(pipeline);
        waiter.cancel().awaitEnd();
        assertThat(waiter.attempts()).isZero();
        assertThat(limiter.snapshot().queued()).isZero();
        holder.succeed("done").awaitEnd();
        assertThat(limiter.snapshot().inFlight()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerOutsideCountsNoCallThatTheLimiterRejects(CallMode mode) {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of("limiter", 1);
        CircuitBreaker breaker = CircuitBreaker.of("breaker", cb -> cb.openAfterConsecutive(1), time);
        Pipeline<String> pipeline = Pipeline.<String>named("orders")
                .time(time)
                .circuitBreaker(breaker)
                .strategy(limiter, Classifier.defaults())
                .build();
        OngoingCall<String> holder = mode.start(pipeline);
        assertThat(mode.start(pipeline).error()).isInstanceOf(LimitReachedException.class);
        assertThat(breaker.snapshot().calls()).isZero();
        holder.succeed("done").awaitEnd();
        assertThat(limiter.snapshot().inFlight()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void permitComesBackWhenABreakerInsideRejects(CallMode mode) {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of("limiter", 1);
        CircuitBreaker breaker = CircuitBreaker.of("breaker", cb -> {}, time);
        breaker.isolate();
        Pipeline<String> pipeline = Pipeline.<String>named("orders")
                .time(time)
                .strategy(limiter, Classifier.defaults())
                .circuitBreaker(breaker)
                .build();
        assertThat(mode.start(pipeline).error()).isNotNull();
        assertThat(limiter.snapshot().inFlight()).isZero();
    }
}
