package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.RetryBudget;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.tests.Await;
import dev.recloser.time.TimeSource;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults of attempts that run beside each other. */
@Timeout(60)
class HedgingFaultsTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration DELAY = Duration.ofMillis(50);

    private final VirtualTime time = VirtualTime.create();

    /** A hedge that found no room is no failure of the dependency: what the attempt that ran ended in is. */
    @ParameterizedTest
    @MethodSource(MODES)
    void rejectedHedgeDoesNotHideTheFailureOfTheAttemptThatRan(CallMode mode) {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .circuitBreaker(
                        cb -> cb.failureRatio(0.5).minimumThroughput(10).samplingDuration(Duration.ofSeconds(10)))
                .hedging(h -> h.delay(DELAY).withoutBudget())
                .concurrencyLimiter(1)
                .build();
        List<Kind> kinds = new CopyOnWriteArrayList<>();
        pipeline.addListener(event -> kinds.add(event.kind()));
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        time.advance(DELAY);
        while (!kinds.contains(Kind.HEDGE_FAILED)) {
            Thread.onSpinWait();
        }
        IOException failure = new IOException("the dependency");
        call.fail(1, failure).awaitEnd();
        assertThat(pipeline.strategy(CircuitBreaker.class)
                        .orElseThrow()
                        .snapshot()
                        .failures())
                .as("failures that the breaker knows of")
                .isEqualTo(1);
        assertThat(call.error()).isSameAs(failure);
    }

    /** Whether a hedge may begin is asked under the lock, but it is counted later, after listeners were told. */
    @Test
    void noMoreHedgesThanAllowedThoughAnAttemptFailsWhileAHedgeBegins() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .hedging(h -> h.maxHedges(1).delay(DELAY).withoutBudget())
                .build();
        failTheFirstWhileAHedgeBegins(pipeline, "one attempt and one hedge");
    }

    /** The same without a listener, in real time. */
    @Test
    void noMoreHedgesThanAllowedInRealTime() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .hedging(h -> h.maxHedges(1).delay(Duration.ofMillis(1)).withoutBudget())
                .build();
        int most = 0;
        for (int round = 0; round < 3000 && most <= 2; round++) {
            long until = System.nanoTime() + 1_000_000 + (round % 100) * 5_000L;
            AtomicInteger begun = new AtomicInteger();
            try {
                pipeline.call(() -> {
                    begun.incrementAndGet();
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                    throw new IOException();
                });
            } catch (IOException expected) {
                most = Math.max(most, begun.get());
            }
        }
        assertThat(most).as("attempts of one call").isEqualTo(2);
    }

    /** If all that run fail while a hedge that was granted has not begun yet, it is dropped. */
    @Test
    void hedgeThatWasGrantedIsStillAwaited() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .hedging(h -> h.maxHedges(2)
                        .delay(DELAY)
                        .budget(RetryBudget.of(
                                b -> b.ratio(0).minimumPerSecond(0).maximumSaved(1), time)))
                .build();
        failTheFirstWhileAHedgeBegins(pipeline, "the budget was spent for a hedge");
    }

    /** Two attempts are made, and the call waits for the second. */
    private void failTheFirstWhileAHedgeBegins(Pipeline<String> pipeline, String twoAttempts) {
        List<CompletableFuture<String>> attempts = new ArrayList<>();
        pipeline.addListener(event -> {
            if (event.kind() == Kind.HEDGE) {
                // As another thread may do at this moment.
                attempts.get(0).completeExceptionally(new IOException("first"));
            }
        });
        CompletableFuture<String> call = pipeline.callAsync(() -> {
            attempts.add(new CompletableFuture<>());
            return attempts.get(attempts.size() - 1);
        });
        time.advance(DELAY);
        assertThat(attempts).as(twoAttempts).hasSize(2);
        assertThat(call).isNotDone();
    }

    /** Losers are cut, and with them runs what is the user's, before the winner is told. */
    @ParameterizedTest
    @MethodSource(MODES)
    void winnerIsReturnedThoughTheHookOfALoserBlocks(CallMode mode) throws Exception {
        // As in real time, where what is due runs on other threads.
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(new Elsewhere(time, time.workers(), time.workers()))
                .hedging(h -> h.delay(DELAY).withoutBudget())
                .build();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        call.context(1).onCancel(() -> {
            blocked.countDown();
            awaitQuietly(release);
        });
        time.advance(DELAY);
        call.awaitAttempts(2);
        Thread winner = new Thread(() -> call.succeed(2, "won"));
        winner.setDaemon(true);
        winner.start();
        try {
            blocked.await();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            while (!call.isEnded() && System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            assertThat(call.isEnded()).as("the caller has the winner's value").isTrue();
        } finally {
            release.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A call that only stood in a queue has not begun, in every mode. */
    @ParameterizedTest
    @MethodSource(MODES)
    void breakerDoesNotCountACallThatWasCutInAQueueInsideADetachedTimeout(CallMode mode) {
        assertNotCounted(mode, false);
    }

    /** The same inside of hedging. */
    @ParameterizedTest
    @MethodSource(MODES)
    void breakerDoesNotCountACallThatWasCutInAQueueInsideHedging(CallMode mode) {
        assertNotCounted(mode, true);
    }

    private void assertNotCounted(CallMode mode, boolean hedged) {
        ConcurrencyLimiter limiter =
                ConcurrencyLimiter.of("l", l -> l.maxConcurrent(1).queue(1));
        Pipeline<String> holder =
                Pipeline.<String>named("holder").time(time).strategy(limiter).build();
        PipelineBuilder<String> builder = Pipeline.<String>named("p")
                .time(time)
                .circuitBreaker(
                        cb -> cb.failureRatio(0.5).minimumThroughput(10).samplingDuration(Duration.ofSeconds(10)))
                .timeout(t -> {
                    t.limit(Duration.ofSeconds(1));
                    if (!hedged) {
                        t.detached();
                    }
                });
        if (hedged) {
            builder.hedging(h -> h.delay(Duration.ofSeconds(5)).withoutBudget());
        }
        Pipeline<String> pipeline = builder.strategy(limiter).build();
        CompletableFuture<String> held = holder.callAsync(CompletableFuture::new);
        OngoingCall<String> call = mode.start(pipeline);
        while (limiter.snapshot().queued() == 0) {
            Thread.onSpinWait();
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(call.error()).isInstanceOf(TimedOutException.class);
        CircuitBreaker breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow();
        assertThat(breaker.snapshot().calls())
                .as("calls that the breaker counted")
                .isZero();
        held.cancel(true);
    }

    /** The alarm of an attempt and that of the call ring one after the other, and what happens in between decides what the caller gets. */
    @Test
    void stageThatIsCutByATimeoutAroundHedgingEndsInTheTimeoutInRealTime() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .timeout(Duration.ofMillis(30))
                .hedging(h -> h.delay(Duration.ofSeconds(10)).withoutBudget())
                .build();
        Map<String, Integer> ends = new TreeMap<>();
        for (int round = 0; round < 20; round++) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                calls.add(pipeline.callAsync(CompletableFuture::new));
            }
            for (CompletableFuture<String> call : calls) {
                ends.merge(endOf(call), 1, Integer::sum);
            }
        }
        assertThat(ends).containsOnlyKeys("TimedOutException");
    }

    private static String endOf(CompletableFuture<String> call) throws InterruptedException {
        try {
            return "value " + call.get();
        } catch (java.util.concurrent.ExecutionException e) {
            return e.getCause().getClass().getSimpleName();
        } catch (java.util.concurrent.CancellationException e) {
            return "CancellationException";
        }
    }

    /** The same for blocking callers. */
    @Test
    void blockingCallOfADetachedTimeoutEndsInTheTimeoutInRealTime() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .timeout(t -> t.limit(Duration.ofMillis(20)).detached())
                .build();
        Map<String, Integer> ends = new TreeMap<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Thread caller = new Thread(() -> {
                for (int round = 0; round < 40; round++) {
                    String end;
                    try {
                        end = pipeline.call(() -> {
                            Await.interrupt();
                            return "value";
                        });
                    } catch (Throwable e) {
                        end = e.getClass().getSimpleName();
                    }
                    synchronized (ends) {
                        ends.merge(end + (Thread.interrupted() ? " with the flag set" : ""), 1, Integer::sum);
                    }
                }
            });
            caller.start();
            callers.add(caller);
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(ends).containsOnlyKeys("TimedOutException");
    }

    /** A hedge that finds no thread must not end the attempt that runs. */
    @Test
    void hedgeThatFindsNoThreadLeavesTheRunningAttemptAlone() throws Exception {
        AtomicInteger handed = new AtomicInteger();
        TimeSource scarce = new Elsewhere(time, time.executor(), task -> {
            if (handed.incrementAndGet() > 1) {
                throw new RejectedExecutionException("no thread");
            }
            time.workers().execute(task);
        });
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(scarce)
                .hedging(h -> h.delay(DELAY).withoutBudget())
                .build();
        OngoingCall<String> call = CallMode.PLATFORM_THREAD.start(pipeline).awaitAttempts(1);
        time.advance(DELAY);
        assertThat(call.context(1).isCancelled())
                .as("the first attempt was cut")
                .isFalse();
        assertThat(call.succeed(1, "fine").value()).isEqualTo("fine");
    }
}
