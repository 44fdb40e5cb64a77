package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallContext;
import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.TimedOutException;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults of deadlines, cancellation and numbering. */
@Timeout(60)
class DeadlineFaultsTest {

    private final VirtualTime time = VirtualTime.create();

    /** The interrupt ends in the listener; nothing then tells the driver that the time is over, and the next attempt is bound by nothing. */
    @Test
    void noAttemptBeginsAfterTheDeadlineThoughAListenerSwallowsTheInterrupt() {
        VirtualTime clock = VirtualTime.selfAdvancing();
        AtomicInteger attempts = new AtomicInteger();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(clock)
                .timeout(Duration.ofSeconds(1))
                .retry(r -> r.constantDelay(Duration.ofMillis(100)).withoutBudget())
                .build();
        pipeline.addListener(event -> {
            if (event.kind() == Kind.RETRY) {
                sleepQuietly(clock, Duration.ofSeconds(2));
            }
        });
        assertThatThrownBy(() -> pipeline.call(() -> {
                    attempts.incrementAndGet();
                    throw new IOException();
                }))
                .isInstanceOf(TimedOutException.class);
        assertThat(attempts).hasValue(1);
    }

    /** The same with a limit function, which is the user's too. */
    @Test
    void workDoesNotBeginAfterTheDeadlineThoughALimitFunctionSwallowsTheInterrupt() {
        VirtualTime clock = VirtualTime.selfAdvancing();
        AtomicInteger attempts = new AtomicInteger();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(clock)
                .timeout(Duration.ofSeconds(1))
                .timeout(t -> t.limitFrom(context -> {
                    sleepQuietly(clock, Duration.ofSeconds(2));
                    return Duration.ofMillis(500);
                }))
                .build();
        assertThatThrownBy(() -> pipeline.call(() -> {
                    attempts.incrementAndGet();
                    return "late";
                }))
                .isInstanceOf(TimedOutException.class);
        assertThat(attempts).hasValue(0);
    }

    private static void sleepQuietly(VirtualTime clock, Duration nap) {
        try {
            clock.sleep(nap.toNanos());
        } catch (InterruptedException swallowed) {
            // As much of the world's code does.
            assertThat(swallowed).isNotNull();
        }
    }

    /** An event tells the number of the attempt to which it happened. */
    @Test
    void eventOfAFallbackInsideARetryTellsTheNumberOfTheAttempt() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .retry(r -> r.maxRetries(2).constantDelay(Duration.ZERO).withoutBudget())
                .fallback(f -> f.errorFrom((value, error) -> new IllegalStateException(error)))
                .build();
        List<Integer> numbers = new ArrayList<>();
        pipeline.addListener(event -> {
            if (event.kind() == Kind.FALLBACK) {
                numbers.add(event.attempt());
            }
        });
        assertThatThrownBy(() -> pipeline.call(() -> {
                    throw new IOException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(numbers).containsExactly(1, 2, 3);
    }

    /** The same for one around a retry: it happened to the last attempt. */
    @Test
    void eventOfAFallbackAroundARetryTellsTheNumberOfTheLastAttempt() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .fallback(f -> f.value("instead"))
                .retry(r -> r.maxRetries(2).constantDelay(Duration.ZERO).withoutBudget())
                .build();
        List<PipelineEvent> events = new ArrayList<>();
        pipeline.addListener(events::add);
        String value = pipeline.call(() -> {
            throw new IOException();
        });
        assertThat(value).isEqualTo("instead");
        assertThat(events.get(events.size() - 1).kind()).isEqualTo(Kind.FALLBACK);
        assertThat(events.get(events.size() - 1).attempt()).isEqualTo(3);
    }

    /** Who is told of a cancellation finds the permit free, as who is told of any other end does. */
    @Test
    void dependentOfACancelledCallFindsThePermitFree() {
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").time(time).concurrencyLimiter(1).build();
        CompletableFuture<String> first = pipeline.callAsync(CompletableFuture::new);
        CompletableFuture<CompletableFuture<String>> second = new CompletableFuture<>();
        CompletableFuture<String> told = first.whenComplete(
                (value, error) -> second.complete(pipeline.callAsync(() -> CompletableFuture.completedFuture("next"))));
        first.cancel(true);
        assertThat(told).isDone();
        assertThat(second.join()).isCompletedWithValue("next");
    }

    /** Work that never began is not left behind. */
    @Test
    void attemptThatIsCutBeforeItBeginsIsNotToldToBeAbandoned() {
        AtomicInteger begun = new AtomicInteger();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(Duration.ofSeconds(1))
                .retry(r -> r.constantDelay(Duration.ZERO).withoutBudget())
                .build();
        List<Kind> kinds = new ArrayList<>();
        pipeline.addListener(event -> {
            kinds.add(event.kind());
            if (event.kind() == Kind.RETRY) {
                time.advance(Duration.ofSeconds(1));
            }
        });
        CompletableFuture<String> call = pipeline.callAsync(() -> {
            begun.incrementAndGet();
            return CompletableFuture.failedFuture(new IOException());
        });
        assertThatThrownBy(call::join).hasCauseInstanceOf(TimedOutException.class);
        assertThat(begun).hasValue(1);
        assertThat(kinds).doesNotContain(Kind.ABANDONED);
    }

    /** A thousand waiters whose work ends at once, on the clock that is published for tests. */
    @Test
    void longQueueIsServedOnceEachOnVirtualTime() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .concurrencyLimiter(l -> l.maxConcurrent(1).queue(20_000))
                .build();
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> head = pipeline.callAsync(() -> first);
        int[] begun = new int[20_000];
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < begun.length; i++) {
            int number = i;
            calls.add(pipeline.callAsync(() -> {
                begun[number]++;
                return CompletableFuture.completedFuture("value");
            }));
        }
        first.complete("first");
        assertThat(head).isDone();
        assertThat(begun).containsOnly(1);
        assertThat(calls).allSatisfy(call -> assertThat(call).isCompletedWithValue("value"));
    }

    /** The number of the attempt, within nested retries. */
    @Test
    void contextOfNestedRetriesCountsOn() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO).withoutBudget())
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO).withoutBudget())
                .build();
        List<Integer> numbers = new ArrayList<>();
        assertThatThrownBy(() -> pipeline.call((CallContext context) -> {
                    numbers.add(context.attempt());
                    throw new IOException();
                }))
                .isInstanceOf(IOException.class);
        assertThat(numbers).containsExactly(1, 2, 3, 4);
    }
}
