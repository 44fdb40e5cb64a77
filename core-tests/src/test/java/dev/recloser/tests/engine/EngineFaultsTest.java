package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.spi.Deadline;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults that the engine has had, each kept as a test. */
@Timeout(60)
class EngineFaultsTest {

    private final VirtualTime time = VirtualTime.create();

    @Test
    void workThatWasCutSeesItForEver() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(new Repeat(1, Duration.ZERO), Classifier.defaults())
                .timeout(Duration.ofSeconds(1))
                .build();
        List<CallContext> contexts = new ArrayList<>();
        List<CompletableFuture<String>> attempts = new ArrayList<>();
        CompletableFuture<String> future = pipeline.callAsync(context -> {
            contexts.add(context);
            attempts.add(new CompletableFuture<>());
            return attempts.get(attempts.size() - 1);
        });
        time.advance(Duration.ofSeconds(1));
        assertThat(contexts).hasSize(2);
        assertThat(contexts.get(0).isCancelled()).isTrue();
        assertThat(contexts.get(0).remaining()).contains(Duration.ZERO);
        assertThat(contexts.get(0).attempt()).isEqualTo(1);
        assertThat(contexts.get(1).isCancelled()).isFalse();

        AtomicInteger hooks = new AtomicInteger();
        contexts.get(0).onCancel(hooks::incrementAndGet);
        assertThat(hooks).as("a hook that comes too late runs at once").hasValue(1);
        attempts.get(1).complete("fine");
        assertThat(hooks).hasValue(1);
        assertThat(future).isCompletedWithValue("fine");
    }

    @Test
    void startOfAnAttemptThatHangsDoesNotDefeatTheTotalTimeout() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .timeout(Duration.ofMillis(300))
                .strategy(new Repeat(99, Duration.ZERO), Classifier.defaults())
                .timeout(Duration.ofMillis(50))
                .build();
        CompletableFuture<String> future = pipeline.callAsync(() -> {
            if (calls.incrementAndGet() == 2) {
                release.await();
            }
            return new CompletableFuture<>();
        });
        assertThat(future)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(TimedOutException.class);
        assertThat(calls.get()).as("attempts after the one that hangs").isGreaterThan(2);
        release.countDown();
    }

    @Test
    void longQueueOfStagesThatEndAtOnceIsServedToItsEnd() throws Exception {
        Turnstile turnstile = new Turnstile();
        Pipeline<Integer> pipeline = Pipeline.<Integer>named("p")
                .strategy(turnstile, Classifier.defaults())
                .build();
        CompletableFuture<Integer> first = new CompletableFuture<>();
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        all.add(pipeline.callAsync(() -> first));
        for (int i = 0; i < 20_000; i++) {
            all.add(pipeline.callAsync(() -> CompletableFuture.completedFuture(1)));
        }
        first.complete(1);
        for (CompletableFuture<Integer> future : all) {
            assertThat(future.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        }
        CompletableFuture<Integer> after = pipeline.callAsync(() -> CompletableFuture.completedFuture(2));
        assertThat(after.get(30, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void longestLimitDoesNotOverflow() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(VirtualTime.selfAdvancing().startingAt(Long.MAX_VALUE - 5))
                .strategy(new Deadline() {
                    @Override
                    public String name() {
                        return "for ever";
                    }

                    @Override
                    public long limitNanos(CallContext context) {
                        return Long.MAX_VALUE;
                    }
                })
                .build();
        String value = pipeline.call(context -> {
            assertThat(context.remaining())
                    .hasValueSatisfying(left -> assertThat(left).isGreaterThan(Duration.ofDays(36_500)));
            return "in time";
        });
        assertThat(value).isEqualTo("in time");
    }

    @Test
    void interruptFromBeforeTheTimeoutIsKept() {
        VirtualTime own = VirtualTime.selfAdvancing();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(own)
                .timeout(Duration.ofSeconds(1))
                .build();
        Throwable thrown = catchThrowable(() -> pipeline.call(() -> {
            Thread.currentThread().interrupt();
            own.advance(Duration.ofSeconds(2));
            return "computed without looking at the interrupt";
        }));
        assertThat(thrown).isInstanceOf(TimedOutException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void innerPipelineLeavesTheInterruptOfTheOuter() {
        VirtualTime own = VirtualTime.selfAdvancing();
        Pipeline<String> outer = Pipeline.<String>named("outer")
                .time(own)
                .timeout(Duration.ofSeconds(1))
                .build();
        Pipeline<String> inner = Pipeline.<String>named("inner")
                .time(own)
                .timeout(Duration.ofSeconds(1))
                .build();
        AtomicReference<Boolean> interruptedInBetween = new AtomicReference<>();
        Throwable thrown = catchThrowable(() -> outer.call(() -> {
            Throwable cut = catchThrowable(() -> inner.call(() -> {
                own.advance(Duration.ofSeconds(1));
                return "both timeouts are over";
            }));
            assertThat(cut).isInstanceOf(TimedOutException.class);
            interruptedInBetween.set(Thread.currentThread().isInterrupted());
            return "after the inner one";
        }));
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        TimedOutException.class,
                        timedOut -> assertThat(timedOut.pipeline()).isEqualTo("outer"));
        assertThat(interruptedInBetween).hasValue(true);
        assertThat(Thread.interrupted()).as("after both").isFalse();
    }

    @Test
    void stageThatCannotBeFollowedIsAFailedAttempt() {
        Turnstile turnstile = new Turnstile();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(turnstile, Classifier.defaults())
                .build();
        CompletableFuture<String> broken = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
                throw new IllegalStateException("no dependents here");
            }
        };
        assertThat(pipeline.callAsync(() -> broken))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("no dependents here");
        assertThat(turnstile.isFree()).isTrue();
    }

    @Test
    void oneThreadMayHaveManyCallsUnderWay() throws Exception {
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").timeout(Duration.ofMillis(200)).build();
        List<CompletableFuture<String>> futures = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            futures.add(pipeline.callAsync(() -> new CompletableFuture<>()));
        }
        for (CompletableFuture<String> future : futures) {
            assertThat(future).failsWithin(Duration.ofSeconds(30));
        }
    }

    @Test
    void timeoutAfterADelayStillReachesTheAttempt() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(Duration.ofSeconds(5))
                .strategy(new Repeat(1, Duration.ofSeconds(1)), Classifier.defaults())
                .build();
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> future = pipeline.callAsync(
                () -> calls.incrementAndGet() == 1 ? CompletableFuture.failedFuture(new IOException()) : second);
        time.advance(Duration.ofSeconds(1));
        assertThat(calls).hasValue(2);
        time.advance(Duration.ofSeconds(4));
        assertThat(future).isCompletedExceptionally();
        assertThat(second).isCancelled();
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void dependentsDoNotRunOnTheCommonPool() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p").build();
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Thread> ranOn = pipeline.callAsync(() -> work)
                .thenApply(value -> value)
                .thenApplyAsync(value -> Thread.currentThread());
        work.complete("done");
        assertThat(ranOn.get(30, TimeUnit.SECONDS).getName()).doesNotContain("commonPool");
    }
}
