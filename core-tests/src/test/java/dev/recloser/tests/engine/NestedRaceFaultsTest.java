package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallContext;
import dev.recloser.OutcomeClass;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.TimedOutException;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Ticket;
import dev.recloser.tests.Await;
import dev.recloser.time.Alarm;
import dev.recloser.time.TimeSource;
import dev.recloser.time.Timer;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults that the engine had once: in races inside races, with executors without a thread, and with interrupts that somebody swallowed. */
@Timeout(60)
class NestedRaceFaultsTest {

    private static final Duration LIMIT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(20);

    /** Notes what its tickets are told. */
    private static final class Recorder implements Admission {

        final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public String name() {
            return "recorder";
        }

        @Override
        public Admittance acquire(CallContext context) {
            return new Ticket() {
                @Override
                public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
                    told.add(outcome.name());
                }

                @Override
                public void unused() {
                    told.add("UNUSED");
                }
            };
        }
    }

    // ---- 1. the work of an inner race does not count as begun for the race around it

    private static List<String> toldOfTimeout(UnaryOperator<PipelineBuilder<String>> inside) {
        Recorder recorder = new Recorder();
        Pipeline<String> pipeline =
                inside.apply(Pipeline.<String>named("p").strategy(recorder)).build();
        CountDownLatch begun = new CountDownLatch(1);
        assertThatThrownBy(() -> pipeline.call(() -> {
                    begun.countDown();
                    Await.interrupt();
                    return "late";
                }))
                .isInstanceOf(TimedOutException.class);
        assertThat(begun.getCount()).isZero();
        return recorder.told;
    }

    @Test
    void controlDetachedTimeoutAloneIsAFailure() {
        assertThat(toldOfTimeout(p -> p.timeout(t -> t.limit(LIMIT).detached())))
                .containsExactly("FAILURE");
    }

    @Test
    void controlHedgingUnderPlainTimeoutIsAFailure() {
        assertThat(toldOfTimeout(p -> p.timeout(LIMIT).hedging(h -> h.delay(LONG))))
                .containsExactly("FAILURE");
    }

    @Test
    void timeoutAroundHedgingUnderADetachedTimeoutIsAFailure() {
        assertThat(toldOfTimeout(p -> p.timeout(t -> t.limit(LIMIT).detached()).hedging(h -> h.delay(LONG))))
                .containsExactly("FAILURE");
    }

    @Test
    void timeoutAroundDetachedInsideHedgingIsAFailure() {
        Recorder unused = new Recorder();
        assertThat(unused.told).isEmpty();
        List<String> told = toldOfTimeout(p -> p.timeout(LIMIT)
                .hedging(h -> h.delay(LONG))
                .timeout(t -> t.limit(LONG).detached()));
        // A timeout stands inside hedging as well, so IGNORED or FAILURE, but not UNUSED: the work ran.
        assertThat(told).doesNotContain("UNUSED");
    }

    @Test
    void stageTimeoutAroundHedgingInsideHedgingIsAFailure() {
        VirtualTime time = VirtualTime.create();
        Recorder recorder = new Recorder();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(recorder)
                .timeout(LIMIT)
                .hedging(h -> h.delay(LONG))
                .hedging(h -> h.delay(LONG))
                .build();
        CompletableFuture<String> call = pipeline.callAsync(() -> new CompletableFuture<>());
        time.advance(LIMIT);
        assertThat(call).isCompletedExceptionally();
        assertThat(recorder.told).containsExactly("FAILURE");
    }

    // ---- 2. an executor that has no thread once

    /** The system's time, with an executor that refuses. */
    private record Refusing(AtomicInteger refusals) implements TimeSource {

        @Override
        public long nanoTime() {
            return TimeSource.system().nanoTime();
        }

        @Override
        public Instant instant() {
            return TimeSource.system().instant();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            TimeSource.system().sleep(nanos);
        }

        @Override
        public Timer timer() {
            return TimeSource.system().timer();
        }

        @Override
        public Executor executor() {
            return task -> {
                if (refusals.getAndDecrement() > 0) {
                    throw new RejectedExecutionException("no thread");
                }
                TimeSource.system().executor().execute(task);
            };
        }
    }

    @Test
    void timeoutIsATimeoutThoughNoThreadIsFreeForItsHooks() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(new Refusing(new AtomicInteger(1)))
                .timeout(LIMIT)
                .build();
        assertThatThrownBy(() -> pipeline.call(context -> {
                    context.onCancel(() -> {});
                    Await.interrupt();
                    return "late";
                }))
                .isInstanceOf(TimedOutException.class);
    }

    @Test
    void noInterruptIsLeftThoughNoThreadIsFreeForTheHooks() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(new Refusing(new AtomicInteger(1)))
                .timeout(LIMIT)
                .build();
        boolean leaked;
        try {
            pipeline.call(context -> {
                context.onCancel(() -> {});
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                // The work ends at once: before the timer comes again.
                return "value";
            });
        } catch (TimedOutException expected) {
            assertThat(expected).isNotNull();
        } finally {
            leaked = Thread.interrupted();
        }
        assertThat(leaked).isFalse();
    }

    // ---- 3. a race whose caller lost the interrupt

    @Test
    void callEndsThoughAListenerSwallowedTheInterruptBeforeTheRaceWasWaitedFor() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .timeout(LIMIT)
                .hedging(h -> h.delay(Duration.ZERO).maxHedges(1).withoutBudget())
                .build();
        pipeline.addListener(event -> {
            if (event.kind() == Kind.HEDGE) {
                try {
                    Await.interrupt();
                } catch (InterruptedException swallowed) {
                    assertThat(swallowed).isNotNull();
                }
            }
        });
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                pipeline.call(() -> {
                    Await.interrupt();
                    return "late";
                });
            } catch (Throwable thrown) {
                outcome.complete(thrown);
            }
        });
        caller.setDaemon(true);
        caller.start();
        assertThat(outcome.get(8, TimeUnit.SECONDS)).isInstanceOf(TimedOutException.class);
    }

    // ---- 4. a future that is ended from outside

    @Test
    void futureCompletedByCompleteAsyncCancelsTheCall() throws Exception {
        Recorder recorder = new Recorder();
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").strategy(recorder).build();
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline.callAsync(() -> work);
        assertThat(call.completeAsync(() -> "mine").get(5, TimeUnit.SECONDS)).isEqualTo("mine");
        Await.until(work::isDone);
        assertThat(work).isCancelled();
        assertThat(recorder.told).hasSize(1);
    }

    // ---- 5. the trampoline of the virtual time

    @Test
    void hookOfASecondAttemptRunsWhenItsTimeIsOverLikeThatOfTheFirst() {
        VirtualTime time = VirtualTime.selfAdvancing();
        List<String> hooks = new CopyOnWriteArrayList<>();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .retry(r ->
                        r.maxRetries(1).constantDelay(Duration.ofMillis(100)).withoutBudget())
                .timeout(Duration.ofSeconds(1))
                .build();
        CompletableFuture<String> call = pipeline.callAsync(context -> {
            int attempt = context.attempt();
            if (attempt == 1) {
                return CompletableFuture.failedFuture(new IOException());
            }
            context.onCancel(() -> hooks.add(attempt + " at " + time.elapsed()));
            sleepQuietly(time, Duration.ofSeconds(6));
            return CompletableFuture.completedFuture("late");
        });
        time.advance(Duration.ofSeconds(30));
        assertThat(call).isCompletedExceptionally();
        assertThat(hooks).containsExactly("2 at PT1.1S");
    }

    @Test
    void callMadeByARepeatedAttemptGoesOnWhenItsTimeComes() {
        VirtualTime time = VirtualTime.selfAdvancing();
        AtomicBoolean innerIsDone = new AtomicBoolean();
        Pipeline<String> inner = Pipeline.<String>named("inner")
                .time(time)
                .retry(r -> r.constantDelay(Duration.ofMillis(100)).withoutBudget())
                .build();
        Pipeline<String> outer = Pipeline.<String>named("outer")
                .time(time)
                .retry(r ->
                        r.maxRetries(1).constantDelay(Duration.ofMillis(100)).withoutBudget())
                .build();
        CompletableFuture<String> call = outer.callAsync(context -> {
            if (context.attempt() == 1) {
                return CompletableFuture.failedFuture(new IOException());
            }
            CompletableFuture<String> nested = inner.callAsync(c -> c.attempt() == 1
                    ? CompletableFuture.failedFuture(new IOException())
                    : CompletableFuture.completedFuture("good"));
            sleepQuietly(time, Duration.ofSeconds(6));
            innerIsDone.set(nested.isDone());
            return nested;
        });
        time.advance(Duration.ofSeconds(30));
        assertThat(call).isDone();
        assertThat(innerIsDone).isTrue();
    }

    private static void sleepQuietly(VirtualTime clock, Duration nap) {
        try {
            clock.sleep(nap.toNanos());
        } catch (InterruptedException swallowed) {
            assertThat(swallowed).isNotNull();
        }
    }

    // ---- 6. a clock that jumps

    private static final class Still extends Alarm {
        @Override
        public void ring(long now) {
            unset();
        }
    }

    /** What a caller does that leaves an inner deadline while the test advances the clock. */
    @Test
    void clockIsNeverAdvancedBeyondTheTarget() throws Exception {
        long far = TimeUnit.DAYS.toNanos(1000);
        Still alarm = new Still();
        AtomicBoolean stop = new AtomicBoolean();
        VirtualTime time = VirtualTime.create();
        alarm.setDue(far);
        time.timer().add(alarm);
        Thread mover = new Thread(() -> {
            while (!stop.get()) {
                alarm.setDue(time.nanoTime() + 5);
                time.timer().moved(alarm);
                alarm.setDue(far);
                time.timer().moved(alarm);
            }
        });
        mover.start();
        try {
            long target = 0;
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while (System.nanoTime() - until < 0) {
                target += 10;
                time.advance(Duration.ofNanos(10));
                assertThat(time.nanoTime()).isEqualTo(target);
            }
        } finally {
            stop.set(true);
            mover.join();
        }
    }

    // ---- 7. tiny limits inside long ones

    @Test
    void waitingUnderALongLimitTakesNoTimeThoughATinyLimitFollows() {
        VirtualTime time = VirtualTime.selfAdvancing();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(Duration.ofHours(1))
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ofMinutes(1)).withoutBudget())
                .timeout(Duration.ofNanos(1_000))
                .build();
        long began = System.nanoTime();
        assertThatThrownBy(() -> pipeline.call(() -> {
                    throw new IOException();
                }))
                .isInstanceOf(IOException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
    }
}
