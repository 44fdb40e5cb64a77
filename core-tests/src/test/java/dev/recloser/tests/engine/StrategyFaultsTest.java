package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.recloser.CallContext;
import dev.recloser.Pipeline;
import dev.recloser.RetryBudget;
import dev.recloser.retry.Retry;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.Race;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults with strategies of the user's, and with how pipelines are put together. */
@Timeout(60)
class StrategyFaultsTest {

    private final VirtualTime time = VirtualTime.create();

    /** A race that throws, at its beginning or later. */
    private record Throwing(boolean atOnce) implements Race {

        @Override
        public String name() {
            return "throwing";
        }

        @Override
        public Contest begin(CallContext context) {
            if (atOnce) {
                throw new IllegalStateException("a bug");
            }
            return new Contest() {
                @Override
                public long patienceNanos(int begun) {
                    return Contest.FOR_EVER;
                }

                @Override
                public Permission next(int begun) {
                    throw new IllegalStateException("a bug");
                }

                @Override
                public void took(int number, long nanos) {
                    // Nothing depends on it.
                }
            };
        }
    }

    @Test
    void strategyThatThrowsAtItsBeginningCompletesTheStageAndLeavesNoAlarm() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(Duration.ofSeconds(1))
                .strategy(new Throwing(true))
                .build();
        assertThatCode(() ->
                        assertThat(pipeline.callAsync(CompletableFuture::new)).isCompletedExceptionally())
                .as("callAsync never throws")
                .doesNotThrowAnyException();
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void strategyThatThrowsLaterCompletesTheStage() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(new Throwing(false))
                .build();
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline.callAsync(() -> work);
        work.completeExceptionally(new IOException());
        assertThat(call).isCompletedExceptionally();
    }

    @Test
    void continuationThatThrowsWhenItIsEnteredCompletesTheStage() {
        Continuation throwing = new Continuation() {
            @Override
            public String name() {
                return "throwing";
            }

            @Override
            public void entered() {
                throw new IllegalStateException("a bug");
            }

            @Override
            public Course begin(CallContext context) {
                return (value, error, call) -> Step.done();
            }
        };
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(Duration.ofSeconds(1))
                .strategy(throwing)
                .build();
        assertThatCode(() ->
                        assertThat(pipeline.callAsync(CompletableFuture::new)).isCompletedExceptionally())
                .as("callAsync never throws")
                .doesNotThrowAnyException();
        assertThat(time.pendingAlarms()).isZero();
    }

    /** The delay is the percentile, as soon as there is one; the fixed one is for the first hundred calls. */
    @Test
    void noWarningThatNothingIsHedgedWhereTheDelayComesFromAPercentile() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .hedging(h -> h.percentile(0.95))
                .timeout(Duration.ofSeconds(1))
                .build();
        assertThat(pipeline.warnings()).isEmpty();
    }

    /** A retry that exists already repeats what stands inside it as one made by the pipeline does. */
    @Test
    void budgetCountsACallOnceThoughTheRetryAroundWasMadeBefore() throws Exception {
        RetryBudget budget = RetryBudget.of(b -> b.ratio(1).minimumPerSecond(0).maximumSaved(100), time);
        while (budget.trySpend()) {
            Thread.onSpinWait();
        }
        Retry retry = Retry.of(
                "outer", r -> r.maxRetries(3).constantDelay(Duration.ZERO).withoutBudget(), time);
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .retryBudget(budget)
                .strategy(retry)
                .retry(r -> r.maxRetries(1).ignore(IOException.class))
                .build();
        int[] attempts = {0};
        pipeline.call(() -> {
            if (++attempts[0] < 4) {
                throw new IOException();
            }
            return "fine";
        });
        assertThat(budget.available()).as("one call allows one retry").isEqualTo(1);
    }
}
