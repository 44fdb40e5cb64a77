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
import dev.recloser.time.TimeSource;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Races of the engine. */
@Timeout(60)
class EngineRaceStressTest {

    private static final class Counter implements Admission {

        final AtomicInteger taken = new AtomicInteger();
        final AtomicInteger ended = new AtomicInteger();
        volatile String last = "";

        @Override
        public String name() {
            return "counter";
        }

        @Override
        public Admittance acquire(CallContext context) {
            taken.incrementAndGet();
            return new Ticket() {
                @Override
                public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
                    last = outcome + " " + value + " " + error;
                    ended.incrementAndGet();
                }

                @Override
                public void unused() {
                    last = "UNUSED";
                    ended.incrementAndGet();
                }
            };
        }
    }

    private static void spin(long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
    }

    /** The ring of an inner deadline that was just left lightly. */
    @Test
    void valueThatIsReturnedIsASuccessToTheStrategiesBetween() throws Exception {
        Counter counter = new Counter();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .timeout(Duration.ofSeconds(60))
                .strategy(counter)
                .timeout(Duration.ofNanos(100_000))
                .build();
        int values = 0;
        int cuts = 0;
        int leaks = 0;
        List<String> wrong = new ArrayList<>();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(12);
        while (System.nanoTime() - until < 0) {
            String result;
            long nanos = 90_000L + ThreadLocalRandom.current().nextInt(120_000);
            try {
                result = pipeline.call(() -> {
                    spin(nanos);
                    return "value";
                });
                values++;
            } catch (TimedOutException cut) {
                result = "cut";
                cuts++;
            }
            if (result.equals("value") && !counter.last.startsWith("SUCCESS")) {
                wrong.add(counter.last);
            }
            if (Thread.interrupted()) {
                leaks++;
            }
        }
        assertThat(values).as("calls that ended in time").isPositive();
        assertThat(cuts).as("calls that were cut").isPositive();
        assertThat(leaks).isZero();
        assertThat(wrong).isEmpty();
    }

    @Test
    void waitForTheNextAttemptEndsWithTheDeadlineThoughAListenerSwallowsTheInterrupt() {
        VirtualTime clock = VirtualTime.selfAdvancing();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(clock)
                .timeout(Duration.ofSeconds(10))
                .retry(r -> r.constantDelay(Duration.ofSeconds(8)).withoutBudget())
                .build();
        pipeline.addListener(event -> {
            if (event.kind() == Kind.RETRY) {
                try {
                    clock.sleep(TimeUnit.SECONDS.toNanos(11));
                } catch (InterruptedException swallowed) {
                    assertThat(swallowed).isNotNull();
                }
            }
        });
        assertThatThrownBy(() -> pipeline.call(() -> {
                    throw new IOException();
                }))
                .isInstanceOf(TimedOutException.class);
        assertThat(clock.elapsed()).isLessThanOrEqualTo(Duration.ofSeconds(11));
    }

    @Test
    void permitsInsideHedgingAreBackWhenACallIsCancelled() {
        int rejected = 0;
        for (int i = 0; i < 2_000; i++) {
            Counter counter = new Counter();
            Pipeline<String> pipeline = Pipeline.<String>named("p")
                    .hedging(h -> h.delay(Duration.ofSeconds(20)))
                    .strategy(counter)
                    .build();
            CompletableFuture<String> call = pipeline.callAsync(() -> new CompletableFuture<>());
            call.cancel(true);
            if (counter.ended.get() == 0) {
                rejected++;
            }
        }
        assertThat(rejected).isZero();
    }

    private static PipelineBuilder<String> nest(PipelineBuilder<String> p, Random random, Counter counter) {
        PipelineBuilder<String> nested = p;
        int layers = 2 + random.nextInt(5);
        for (int i = 0; i < layers; i++) {
            Duration limit = Duration.ofNanos(200_000 + random.nextInt(8_000_000));
            switch (random.nextInt(7)) {
                case 0 -> nested = nested.timeout(limit);
                case 1 -> nested = nested.timeout(t -> t.limit(limit).detached());
                case 2 ->
                    nested = nested.hedging(h -> h.delay(Duration.ofNanos(random.nextInt(3) * 1_000_000L))
                            .withoutBudget());
                case 3 ->
                    nested = nested.retry(r ->
                            r.maxRetries(2).constantDelay(limit.dividedBy(4)).withoutBudget());
                case 4 -> nested = nested.timeout(t -> t.limitFrom(context -> limit));
                default -> nested = nested.strategy(counter);
            }
        }
        return nested;
    }

    @Test
    void anyNestingEndsAndGivesBackWhatItTook() throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(25);
        Map<String, Pipeline<?>> ended = new LinkedHashMap<>();
        Map<String, Counter> counters = new LinkedHashMap<>();
        for (long seed = System.nanoTime(); System.nanoTime() - until < 0; seed++) {
            Random random = new Random(seed);
            Counter counter = new Counter();
            Pipeline<String> pipeline =
                    nest(Pipeline.<String>named("p"), random, counter).build();
            String what = seed + " " + pipeline.describe();
            int kind = random.nextInt(4);
            long nap = random.nextInt(8);
            boolean isStage = random.nextInt(3) == 0;
            if (isStage) {
                CompletableFuture<String> call = pipeline.callAsync(() -> {
                    if (kind == 0) {
                        return new CompletableFuture<>();
                    }
                    CompletableFuture<String> stage = new CompletableFuture<>();
                    CompletableFuture.delayedExecutor(nap, TimeUnit.MILLISECONDS)
                            .execute(() -> {
                                if (kind == 1) {
                                    stage.completeExceptionally(new IOException());
                                } else {
                                    stage.complete("value");
                                }
                            });
                    return stage;
                });
                try {
                    call.get(kind == 0 ? 50 : 5_000, TimeUnit.MILLISECONDS);
                } catch (java.util.concurrent.ExecutionException failed) {
                    assertThat(failed).isNotNull();
                } catch (java.util.concurrent.TimeoutException hangs) {
                    assertThat(kind).as("hangs: %s", what).isZero();
                    call.cancel(true);
                }
            } else {
                CompletableFuture<String> done = new CompletableFuture<>();
                Thread caller = new Thread(() -> {
                    try {
                        pipeline.call(() -> {
                            if (kind == 3) {
                                spin(nap * 1_000_000);
                            } else {
                                TimeSource.system().sleep(TimeUnit.MILLISECONDS.toNanos(kind == 0 ? 20 : nap));
                            }
                            if (kind == 1) {
                                throw new IOException();
                            }
                            return "value";
                        });
                        done.complete(Thread.interrupted() ? "leak" : "");
                    } catch (Throwable failed) {
                        done.complete(
                                Thread.interrupted()
                                        ? "leak"
                                        : "" + (failed instanceof InterruptedException ? failed : ""));
                    }
                });
                caller.setDaemon(true);
                caller.start();
                try {
                    assertThat(done.get(5, TimeUnit.SECONDS)).as(what).isEmpty();
                } catch (java.util.concurrent.TimeoutException hangs) {
                    throw new AssertionError("hangs: " + what, hangs);
                }
            }
            boolean mayLeaveWork = isStage && kind == 0;
            Await.until(() -> counter.taken.get() == counter.ended.get());
            counters.put(what, counter);
            if (!mayLeaveWork) {
                Await.until(() -> pipeline.abandoned() == 0);
                ended.put(what, pipeline);
            }
        }
        // An attempt that has lost a race may still be on its way in, take its tickets, and give them back at once.
        counters.forEach((what, counter) -> {
            Await.until(() -> counter.taken.get() == counter.ended.get());
            assertThat(counter.ended.get()).as("tickets " + what).isEqualTo(counter.taken.get());
        });
        // An attempt of a stage that is cut counts as left behind for the moment in which it is found out whether it
        // reacts, and those
        // that lost a race are cut after the call has returned. So what counts is that nothing remains in the end.
        ended.forEach((what, pipeline) -> {
            Await.until(() -> pipeline.abandoned() == 0);
            assertThat(pipeline.abandoned()).as("abandoned " + what).isZero();
        });
    }
}
