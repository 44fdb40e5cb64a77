package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Continuation;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the drivers follow a continuation. */
class ContinuationTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();

    private Pipeline<String> around(Continuation continuation) {
        return Pipeline.<String>named("p")
                .time(time)
                .strategy(continuation, Classifier.<String>defaults().handleResult("bad"::equals))
                .build();
    }

    /** A continuation that answers every failure in the same way. */
    private static Continuation always(Continuation.Step step) {
        return new Continuation() {
            @Override
            public String name() {
                return "always";
            }

            @Override
            public Course begin(CallContext context) {
                return (value, error, now) -> step;
            }
        };
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void failureIsFollowedByAnotherAttemptAfterTheDelay(CallMode mode) {
        Repeat repeat = new Repeat(2, Duration.ofSeconds(1));
        OngoingCall<String> call = mode.start(around(repeat));
        call.fail(new IOException());
        assertThat(call.attempts()).isEqualTo(1);
        time.advance(Duration.ofSeconds(1));
        awaitAttempt(call, 2);
        assertThat(call.context().attempt()).isEqualTo(2);
        call.succeed("bad");
        time.advance(Duration.ofSeconds(1));
        awaitAttempt(call, 3);
        assertThat(call.succeed("good").value()).isEqualTo("good");
        assertThat(repeat.attemptsSeen()).containsExactly(1, 2);
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void lastFailureStandsUnchanged(CallMode mode) {
        OngoingCall<String> call = mode.start(around(new Repeat(1, Duration.ZERO)));
        call.fail(new IOException("first"));
        awaitAttempt(call, 2);
        IOException last = new IOException("last");
        assertThat(call.fail(last).error()).isSameAs(last).hasNoSuppressedExceptions();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void successAndIgnoredOutcomesAreNotAskedAbout(CallMode mode) {
        Continuation neverAsked = new Continuation() {
            @Override
            public String name() {
                return "never asked";
            }

            @Override
            public Course begin(CallContext context) {
                throw new AssertionError("asked");
            }
        };
        assertThat(mode.start(around(neverAsked)).succeed("good").value()).isEqualTo("good");
        AssertionError error = new AssertionError("an Error is not retried");
        assertThat(mode.start(around(neverAsked)).fail(error).error()).isSameAs(error);
        CancellationException cancelled = new CancellationException();
        assertThat(mode.start(around(neverAsked)).fail(cancelled).error()).isSameAs(cancelled);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void waitThatCannotFitTheDeadlineIsNotBegun(CallMode mode) {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(Duration.ofSeconds(1))
                .strategy(new Repeat(5, Duration.ofSeconds(60)), Classifier.defaults())
                .build();
        IOException real = new IOException();
        assertThat(mode.start(pipeline).fail(real).error()).isSameAs(real);
        assertThat(time.elapsed()).isZero();
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void valueOrErrorTakesThePlaceOfAFailure(CallMode mode) {
        assertThat(mode.start(around(always(Continuation.Step.replaceByValue("fallback"))))
                        .fail(new IOException())
                        .value())
                .isEqualTo("fallback");
        IllegalStateException other = new IllegalStateException();
        assertThat(mode.start(around(always(Continuation.Step.replaceByError(other))))
                        .succeed("bad")
                        .error())
                .isSameAs(other);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void continuationThatThrowsIsSeenByTheCaller(CallMode mode) {
        Continuation broken = new Continuation() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public Course begin(CallContext context) {
                throw new IllegalStateException("a bug");
            }
        };
        assertThat(mode.start(around(broken)).fail(new IOException()).error())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a bug");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callerWhoCancelsWhileItWaitsEndsTheRepetition(CallMode mode) {
        OngoingCall<String> call = mode.start(around(new Repeat(9, Duration.ofSeconds(1))));
        call.fail(new IOException());
        call.cancel();
        time.advance(Duration.ofSeconds(10));
        assertThat(call.attempts()).isEqualTo(1);
        assertThat(call.error())
                .isInstanceOf(mode == CallMode.STAGE ? CancellationException.class : InterruptedException.class);
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void strategyThatThrowsLeaksNoTicketAndIsSeenByTheCaller() {
        Turnstile outer = new Turnstile();
        Admission broken = new Admission() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public Admittance acquire(CallContext context) {
                throw new IllegalStateException("a bug of the strategy's");
            }
        };
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(outer, Classifier.defaults())
                .strategy(broken, Classifier.defaults())
                .build();
        for (CallMode mode : CallMode.available()) {
            assertThat(mode.start(pipeline).error()).as(mode.name()).hasMessage("a bug of the strategy's");
            assertThat(outer.isFree()).as(mode.name()).isTrue();
        }
    }

    @Test
    void cancellationReachesTheAttemptThatRuns() {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> future = around(new Repeat(10, Duration.ZERO))
                .callAsync(() ->
                        calls.incrementAndGet() == 1 ? CompletableFuture.failedFuture(new IOException()) : second);
        future.cancel(true);
        assertThat(second).isCancelled();
        assertThat(calls).hasValue(2);
    }

    @Test
    void supplierOfAStageThatThrowsIsAFailedAttempt() {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<String> future = around(new Repeat(1, Duration.ZERO))
                .callAsync(() -> switch (calls.incrementAndGet()) {
                    case 1 -> CompletableFuture.failedFuture(new IOException("the first"));
                    default -> throw new IOException("thrown by the second");
                });
        assertThat(future).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("thrown by the second");
        assertThat(calls).hasValue(2);
    }

    @Test
    void anyNumberOfImmediateAttemptsFitsTheStack() {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<String> future = around(new Repeat(100_000, Duration.ZERO))
                .callAsync(() -> {
                    calls.incrementAndGet();
                    return CompletableFuture.failedFuture(new IOException());
                });
        assertThat(future).isCompletedExceptionally();
        assertThat(calls).hasValue(100_001);
    }

    private static void awaitAttempt(OngoingCall<String> call, int number) {
        call.awaitAttempts(number).awaitRest();
    }
}
