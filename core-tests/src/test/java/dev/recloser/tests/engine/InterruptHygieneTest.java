package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.TimedOutException;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Row 26 of the known faults, in real time: work that ends at about the moment at which it times out. However the two fall, no interrupt
 * is left behind, and none reaches work that it was not meant for.
 */
class InterruptHygieneTest {

    private static final Duration LIMIT = Duration.ofNanos(100_000);
    private static final int THREADS = 2;

    private final TimeSource time = TimeSource.system();
    private final AtomicInteger cut = new AtomicInteger();
    private final AtomicInteger begunInterrupted = new AtomicInteger();

    static Stream<Arguments> pipelines() {
        PipelineBuilder<String> plain = Pipeline.<String>named("plain").timeout(LIMIT);
        PipelineBuilder<String> retried = Pipeline.<String>named("retried")
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO).withoutBudget())
                .timeout(LIMIT);
        PipelineBuilder<String> nested = Pipeline.<String>named("nested")
                .timeout(LIMIT.plusNanos(10_000))
                .timeout(LIMIT);
        PipelineBuilder<String> detached =
                Pipeline.<String>named("detached").timeout(t -> t.limit(LIMIT).detached());
        PipelineBuilder<String> hedged = Pipeline.<String>named("hedged")
                .timeout(LIMIT)
                .hedging(h -> h.delay(LIMIT.dividedBy(2)).withoutBudget());
        PipelineBuilder<String> hedgedInside = Pipeline.<String>named("hedged, timeout inside")
                .hedging(h -> h.delay(LIMIT.dividedBy(2)).withoutBudget())
                .timeout(LIMIT);
        return Stream.of(
                Arguments.of(plain.build(), 50_000),
                Arguments.of(retried.build(), 30_000),
                Arguments.of(nested.build(), 10_000),
                Arguments.of(detached.build(), 10_000),
                Arguments.of(hedged.build(), 5_000),
                Arguments.of(hedgedInside.build(), 5_000));
    }

    @ParameterizedTest
    @MethodSource("pipelines")
    void interruptIsNeverLeftBehindNorSentToOtherWork(Pipeline<String> pipeline, int calls) throws Exception {
        AtomicReference<Throwable> unexpected = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            Thread thread = new Thread(() -> callOften(pipeline, calls / THREADS));
            thread.setUncaughtExceptionHandler((which, error) -> unexpected.set(error));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(unexpected.get()).isNull();
        assertThat(begunInterrupted).as("work that began with the flag set").hasValue(0);
        assertThat(cut.get()).as("calls that were cut").isPositive();
    }

    private void callOften(Pipeline<String> pipeline, int calls) {
        for (int i = 0; i < calls; i++) {
            // Every tenth waits for its timeout, however late the timer is on a busy machine.
            boolean waits = i % 10 == 0;
            long duration = LIMIT.toNanos() - 30_000 + i * 97L % 60_000;
            try {
                pipeline.call(context -> work(context, waits, duration));
            } catch (TimedOutException e) {
                cut.incrementAndGet();
            } catch (InterruptedException e) {
                throw new AssertionError("call " + i + " was interrupted by nobody", e);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("call " + i + " left an interrupt behind");
            }
        }
    }

    private String work(CallContext context, boolean waits, long duration) {
        // Its own timeout may be over before it begins.
        if (Thread.currentThread().isInterrupted() && !context.isCancelled()) {
            begunInterrupted.incrementAndGet();
        }
        long until = time.nanoTime() + duration;
        while ((waits || time.nanoTime() - until < 0) && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        return "done";
    }
}
