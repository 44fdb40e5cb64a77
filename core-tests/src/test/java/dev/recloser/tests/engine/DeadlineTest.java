package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a timeout does to the call inside it, and what it leaves behind. */
class DeadlineTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();
    private final Pipeline<String> oneSecond = timeouts(Duration.ofSeconds(1));

    private Pipeline<String> timeouts(Duration... limits) {
        var builder = Pipeline.<String>named("p").time(time);
        for (Duration limit : limits) {
            builder.timeout(limit);
        }
        return builder.build();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThatIsInTimeIsLeftAlone(CallMode mode) {
        OngoingCall<String> call = mode.start(oneSecond);
        time.advance(Duration.ofMillis(999));
        assertThat(call.awaitRest().isRunning()).isTrue();
        assertThat(call.succeed("in time").value()).isEqualTo("in time");
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThatTakesTooLongIsCut(CallMode mode) {
        OngoingCall<String> call = mode.start(oneSecond);
        time.advance(Duration.ofSeconds(1));
        assertThat(call.error()).isInstanceOfSatisfying(TimedOutException.class, timedOut -> {
            assertThat(timedOut.limit()).isEqualTo(Duration.ofSeconds(1));
            assertThat(timedOut.pipeline()).isEqualTo("p");
            assertThat(timedOut.strategy()).isEqualTo("timeout");
            assertThat(timedOut).hasNoCause().hasMessage("p: timeout: no outcome within 1 s");
        });
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void failureInTimeIsNotTouched(CallMode mode) {
        IOException failure = new IOException();
        assertThat(mode.start(oneSecond).fail(failure).error()).isSameAs(failure);
        assertThat(failure.getSuppressed()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void tighterOfTwoTimeoutsCuts(CallMode mode) {
        for (Pipeline<String> pipeline : List.of(
                timeouts(Duration.ofSeconds(2), Duration.ofSeconds(1)),
                timeouts(Duration.ofSeconds(1), Duration.ofSeconds(2)))) {
            OngoingCall<String> call = mode.start(pipeline);
            assertThat(call.context().remaining()).contains(Duration.ofSeconds(1));
            time.advance(Duration.ofSeconds(1));
            assertThat(call.error())
                    .isInstanceOfSatisfying(
                            TimedOutException.class,
                            timedOut -> assertThat(timedOut.limit()).isEqualTo(Duration.ofSeconds(1)));
            assertThat(time.pendingAlarms()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void outerTimeoutIsBackInForceAfterAnInnerOne(CallMode mode) {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(Duration.ofMillis(2500))
                .strategy(new Repeat(9, Duration.ZERO), Classifier.defaults())
                .timeout(Duration.ofSeconds(1))
                .build();
        OngoingCall<String> call = mode.start(pipeline);
        for (int attempt = 1; attempt <= 2; attempt++) {
            time.advance(Duration.ofSeconds(1));
            call.awaitRest();
            while (call.attempts() == attempt) {
                call.awaitRest();
            }
        }
        assertThat(call.attempts()).isEqualTo(3);
        assertThat(call.context().remaining()).contains(Duration.ofMillis(500));
        time.advance(Duration.ofMillis(500));
        assertThat(call.error())
                .isInstanceOfSatisfying(
                        TimedOutException.class,
                        timedOut -> assertThat(timedOut.limit()).isEqualTo(Duration.ofMillis(2500)));
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void hookRunsOnceWhenTheCallIsCutAndNotWhenItEnds(CallMode mode) {
        AtomicInteger runs = new AtomicInteger();
        OngoingCall<String> inTime = mode.start(oneSecond);
        inTime.context().onCancel(runs::incrementAndGet);
        inTime.succeed("fine");
        time.advance(Duration.ofSeconds(2));
        assertThat(runs).hasValue(0);

        OngoingCall<String> cut = mode.start(oneSecond);
        cut.context().onCancel(runs::incrementAndGet);
        cut.context().onCancel(() -> {
            throw new IllegalStateException("dropped");
        });
        time.advance(Duration.ofSeconds(1));
        cut.awaitEnd();
        assertThat(runs).hasValue(1);
    }

    @Test
    void blockingWorkThatIgnoresTheInterruptIsTimedOutWhenItEnds() throws Exception {
        VirtualTime own = VirtualTime.selfAdvancing();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(own)
                .timeout(Duration.ofMillis(100))
                .build();
        assertThat(catchThrowable(() -> pipeline.call(() -> {
                    own.advance(Duration.ofMillis(100));
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    own.advance(Duration.ofMillis(900));
                    return "too late";
                })))
                .isInstanceOf(TimedOutException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(own.elapsed()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void stageIsFreedOnTimeWhenItsWorkIgnoresTheCancellation() {
        CompletableFuture<String> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        CompletableFuture<String> future = oneSecond.callAsync(() -> stubborn);
        time.advance(Duration.ofSeconds(1));
        assertThat(future).isCompletedExceptionally();
        stubborn.complete("nobody waits");
        assertThat(future).isCompletedExceptionally();
    }

    @Test
    void cutOfOneAttemptNeverReachesTheNext() {
        // The executor is slow: the first attempt fails by itself between its timeout and the cut that follows from it.
        VirtualTime clock = VirtualTime.create();
        List<Runnable> held = new ArrayList<>();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(new Elsewhere(clock, held::add, clock.workers()))
                .strategy(new Repeat(1, Duration.ZERO), Classifier.defaults())
                .timeout(Duration.ofSeconds(1))
                .build();
        List<CompletableFuture<String>> attempts = new ArrayList<>();
        AtomicInteger hooks = new AtomicInteger();
        CompletableFuture<String> future = pipeline.callAsync(context -> {
            if (attempts.size() == 1) {
                context.onCancel(hooks::incrementAndGet);
            }
            attempts.add(new CompletableFuture<>());
            return attempts.get(attempts.size() - 1);
        });
        clock.advance(Duration.ofSeconds(1));
        attempts.get(0).completeExceptionally(new IOException("at the same moment"));
        assertThat(attempts).hasSize(2);
        held.forEach(Runnable::run);
        assertThat(attempts.get(1)).isNotDone();
        assertThat(hooks).hasValue(0);
        attempts.get(1).complete("fine");
        assertThat(future).isCompletedWithValue("fine");
    }

    @Test
    void interruptFromOutsideIsKept() throws Exception {
        String value = oneSecond.call(() -> {
            Thread.currentThread().interrupt();
            return "fine";
        });
        assertThat(value).isEqualTo("fine");
        assertThat(Thread.interrupted()).isTrue();
    }
}
