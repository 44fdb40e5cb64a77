package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.RejectedException;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.tests.Await;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything at once, in real time: what is left afterwards? */
@Timeout(120)
class TimeoutOutcomeStressTest {

    private final Pipeline<String> pipeline = Pipeline.<String>named("p")
            .timeout(t -> t.limit(Duration.ofMillis(6)).detached())
            .retry(r -> r.maxRetries(2).constantDelay(Duration.ofMillis(1)).withoutBudget())
            .hedging(h -> h.maxHedges(2).delay(Duration.ofMillis(1)).withoutBudget())
            .concurrencyLimiter(l -> l.maxConcurrent(4).queue(4).maxWait(Duration.ofMillis(2)))
            .timeout(t -> t.limit(Duration.ofMillis(2)).detached())
            .build();

    private final AtomicInteger running = new AtomicInteger();

    private String work() throws IOException, InterruptedException {
        running.incrementAndGet();
        try {
            int dice = ThreadLocalRandom.current().nextInt(10);
            if (dice < 6) {
                TimeSource.system()
                        .sleep(TimeUnit.MICROSECONDS.toNanos(
                                ThreadLocalRandom.current().nextInt(3000)));
            }
            if (dice % 3 == 0) {
                throw new IOException();
            }
            return "value";
        } finally {
            running.decrementAndGet();
        }
    }

    @Test
    void nothingIsLeftAfterBlockingCalls() throws Exception {
        Map<String, Integer> ends = new TreeMap<>();
        AtomicInteger flags = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Thread caller = new Thread(() -> {
                for (int round = 0; round < 700; round++) {
                    String end;
                    try {
                        end = pipeline.call(this::work);
                    } catch (Throwable e) {
                        end = e.getClass().getSimpleName();
                    }
                    if (Thread.interrupted()) {
                        flags.incrementAndGet();
                    }
                    synchronized (ends) {
                        ends.merge(end, 1, Integer::sum);
                    }
                }
            });
            caller.start();
            callers.add(caller);
        }
        for (Thread caller : callers) {
            caller.join();
        }
        requireNothingLeft();
        assertThat(flags).as("flags left").hasValue(0);
        assertThat(ends.keySet()).as("%s", ends).doesNotContain("InterruptedException", "CancellationException");
    }

    @Test
    void nothingIsLeftAfterStages() throws Exception {
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int round = 0; round < 4000; round++) {
            CompletableFuture<String> call = pipeline.callAsync(() -> CompletableFuture.supplyAsync(() -> {
                try {
                    return work();
                } catch (IOException | InterruptedException e) {
                    throw new java.util.concurrent.CompletionException(e);
                }
            }));
            calls.add(call);
            if (round % 7 == 0) {
                call.cancel(true);
            }
            if (round % 20 == 0) {
                TimeSource.system().sleep(TimeUnit.MILLISECONDS.toNanos(2));
            }
        }
        Map<String, Integer> ends = new TreeMap<>();
        for (int i = 0; i < calls.size(); i++) {
            String end;
            try {
                end = calls.get(i).get(5, TimeUnit.SECONDS);
            } catch (java.util.concurrent.ExecutionException e) {
                end = e.getCause().getClass().getSimpleName();
                assertThat(e.getCause())
                        .isInstanceOfAny(
                                RejectedException.class,
                                IOException.class,
                                java.util.concurrent.CancellationException.class);
            } catch (java.util.concurrent.CancellationException e) {
                end = i % 7 == 0 ? "cancelled" : "CancellationException";
            }
            ends.merge(end, 1, Integer::sum);
        }
        requireNothingLeft();
        assertThat(ends.keySet()).as("%s", ends).doesNotContain("InterruptedException", "CancellationException");
    }

    private void requireNothingLeft() {
        ConcurrencyLimiter limiter = pipeline.strategy(ConcurrencyLimiter.class).orElseThrow();
        Await.until(() -> limiter.snapshot().inFlight() == 0 && pipeline.abandoned() == 0 && running.get() == 0);
        assertThat(limiter.snapshot().inFlight()).as("permits out").isZero();
        assertThat(limiter.snapshot().queued()).as("waiting").isZero();
        assertThat(pipeline.abandoned()).as("abandoned").isZero();
    }
}
