package dev.recloser.tests.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.retry.Retry;
import dev.recloser.retry.RetryBuilder;
import dev.recloser.retry.RetrySnapshot;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole calls through a pipeline with a retry. */
class RetryCallsTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();

    private Retry retry(Consumer<RetryBuilder<Object>> settings) {
        return Retry.of("orders", settings, time);
    }

    private Pipeline<String> around(Retry retry) {
        return Pipeline.<String>named("p")
                .time(time)
                .strategy(retry, retry.classifier())
                .build();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptsComeAfterTheirDelays(CallMode mode) {
        Retry retry = retry(r -> r.handleResult("bad"::equals));
        OngoingCall<String> call = mode.start(around(retry));
        call.fail(new IOException());
        time.advance(Duration.ofMillis(199));
        assertThat(call.attempts()).isEqualTo(1);
        time.advance(Duration.ofMillis(1));
        awaitAttempt(call, 2);
        call.succeed("bad");
        time.advance(Duration.ofMillis(399));
        assertThat(call.attempts()).isEqualTo(2);
        time.advance(Duration.ofMillis(1));
        awaitAttempt(call, 3);
        assertThat(call.succeed("good").value()).isEqualTo("good");
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 2, 0, 0, 0));
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void lastFailureStandsWhenRetriesAreUsedUp(CallMode mode) {
        Retry retry = retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO));
        OngoingCall<String> call = mode.start(around(retry));
        call.fail(new IOException("first"));
        awaitAttempt(call, 2);
        SocketTimeoutException last = new SocketTimeoutException("last");
        assertThat(call.fail(last).error()).isSameAs(last).hasNoSuppressedExceptions();
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 1, 1, 0, 0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void openCircuitIsNotRetried(CallMode mode) {
        Retry retry = retry(r -> {});
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(retry, retry.classifier())
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .timeout(SECOND)
                .build();
        OngoingCall<String> call = mode.start(pipeline);
        call.fail(new IOException());
        time.advance(Duration.ofMillis(200));
        assertThat(call.error()).isInstanceOf(CircuitOpenException.class);
        assertThat(call.attempts()).isEqualTo(1);
        assertThat(mode.start(pipeline).error()).isInstanceOf(CircuitOpenException.class);
        assertThat(time.elapsed()).isEqualTo(Duration.ofMillis(200));
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 1, 0, 0, 0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void longRetryAfterGivesTheResponseAtOnce(CallMode mode) {
        Retry retry = retry(r -> r.maxDelay(Duration.ofMinutes(5))
                .handleResult("busy"::equals)
                .delayFrom((value, error) -> Optional.of(Duration.ofMinutes(1))));
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(SECOND)
                .strategy(retry, retry.classifier())
                .build();
        assertThat(mode.start(pipeline).succeed("busy").value()).isEqualTo("busy");
        assertThat(time.elapsed()).isZero();
        assertThat(time.pendingAlarms()).isZero();
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 0, 0, 0, 1));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptThatTimesOutIsRetried(CallMode mode) {
        Retry retry = retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO));
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(retry, retry.classifier())
                .timeout(SECOND)
                .build();
        OngoingCall<String> call = mode.start(pipeline);
        time.advance(SECOND);
        awaitAttempt(call, 2);
        time.advance(SECOND);
        assertThat(call.error()).isInstanceOf(TimedOutException.class);
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 1, 1, 0, 0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callerWhoCancelsWhileItWaitsIsNotRetried(CallMode mode) {
        OngoingCall<String> call = mode.start(around(retry(r -> r.maxRetries(9))));
        call.fail(new IOException());
        call.cancel();
        time.advance(SECOND);
        assertThat(call.attempts()).isEqualTo(1);
        assertThat(call.error())
                .isInstanceOf(mode == CallMode.STAGE ? CancellationException.class : InterruptedException.class);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void interruptionAndErrorsAreNotRetried(CallMode mode) {
        Retry retry = retry(r -> r.constantDelay(Duration.ZERO));
        for (Throwable ignored :
                new Throwable[] {new AssertionError(), new InterruptedException(), new CancellationException()}) {
            OngoingCall<String> call = mode.start(around(retry));
            assertThat(call.fail(ignored).error()).isSameAs(ignored);
            assertThat(call.attempts()).isEqualTo(1);
        }
        assertThat(retry.snapshot()).isEqualTo(new RetrySnapshot("orders", 0, 0, 0, 0));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void nestedRetriesCountForThemselves(CallMode mode) {
        Retry outer = retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO).withoutBudget());
        Retry inner = retry(r -> r.maxRetries(2).constantDelay(Duration.ZERO).withoutBudget());
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(outer, outer.classifier())
                .strategy(inner, inner.classifier())
                .build();
        OngoingCall<String> call = mode.start(pipeline);
        for (int attempt = 1; attempt <= 6; attempt++) {
            awaitAttempt(call, attempt);
            call.fail(new IOException());
        }
        assertThat(call.error()).isInstanceOf(IOException.class);
        assertThat(call.attempts()).isEqualTo(6);
        assertThat(outer.snapshot()).isEqualTo(new RetrySnapshot("orders", 1, 1, 0, 0));
        assertThat(inner.snapshot()).isEqualTo(new RetrySnapshot("orders", 4, 2, 0, 0));
    }

    @Test
    void supplierThatThrowsInsteadOfReturningAStageIsAFailedAttempt() {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<String> future = around(retry(r -> r.constantDelay(Duration.ZERO)))
                .callAsync(() -> switch (calls.incrementAndGet()) {
                    case 1 -> CompletableFuture.failedFuture(new IOException("the first"));
                    case 2 -> throw new IOException("thrown by the second");
                    default -> CompletableFuture.completedFuture("fine");
                });
        assertThat(future).isCompletedWithValue("fine");
        assertThat(calls).hasValue(3);
    }

    @Test
    void cancellationReachesTheSecondOfTenAttempts() {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> future = around(retry(r -> r.maxRetries(9).constantDelay(Duration.ZERO)))
                .callAsync(() ->
                        calls.incrementAndGet() == 1 ? CompletableFuture.failedFuture(new IOException()) : second);
        future.cancel(true);
        time.advance(Duration.ofMinutes(1));
        assertThat(second).isCancelled();
        assertThat(calls).hasValue(2);
    }

    private static void awaitAttempt(OngoingCall<String> call, int number) {
        assertThat(call.awaitAttempts(number).attempts()).isEqualTo(number);
        call.awaitRest();
    }
}
