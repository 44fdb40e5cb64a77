package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.OutcomeClass;
import dev.recloser.Pipeline;
import dev.recloser.RetryBudget;
import dev.recloser.retry.Retry;
import dev.recloser.spi.Continuation.Step;
import dev.recloser.time.TimeSource;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The examples of docs/retry.md, as they stand there; {@link DocumentedCodeTest} sees to that. */
class RetryExamplesTest {

    /** A dependency that asks to be left alone. */
    private static final class BusyException extends RuntimeException {

        private static final long serialVersionUID = 1;

        Duration retryAfter() {
            return Duration.ofSeconds(5);
        }
    }

    @Test
    void retryOfTheStart() throws Exception {
        Pipeline<String> orders = Pipeline.<String>named("orders")
                .timeout(Duration.ofSeconds(5)) // for all attempts together
                .retry(r -> r.maxRetries(2)
                        .exponentialBackoff(Duration.ofMillis(200))
                        .jitter())
                .circuitBreaker(cb -> cb.failureRatio(0.5))
                .timeout(Duration.ofSeconds(1)) // for each attempt
                .build();

        assertThat(orders.call(() -> "fine")).isEqualTo("fine");
        assertThat(orders.warnings()).isEmpty();
    }

    @Test
    void whatIsRetried() {
        Pipeline<String> orders = Pipeline.<String>named("orders")
                .retry(r -> r.handle(IOException.class)
                        .ignore(FileNotFoundException.class) // it will not be there the next time either
                        .handleResult("busy"::equals))
                .build();

        Classifier<Object> judge = orders.strategy(Retry.class).orElseThrow().classifier();
        assertThat(judge.classify(null, new IOException())).isEqualTo(OutcomeClass.FAILURE);
        assertThat(judge.classify(null, new FileNotFoundException())).isEqualTo(OutcomeClass.IGNORED);
        assertThat(judge.classify("busy", null)).isEqualTo(OutcomeClass.FAILURE);
        assertThat(judge.classify("fine", null)).isEqualTo(OutcomeClass.SUCCESS);
    }

    @Test
    void delaysThatTheDependencyAsksFor() {
        Pipeline<String> orders = Pipeline.<String>named("orders")
                .retry(r -> r.exponentialBackoff(Duration.ofMillis(200))
                        .maxDelay(Duration.ofSeconds(10))
                        .delayFrom((value, error) -> error instanceof BusyException busy
                                ? Optional.of(busy.retryAfter())
                                : Optional.empty()))
                .build();

        CallContext context = orders.context();
        Retry retry = orders.strategy(Retry.class).orElseThrow();
        assertThat(retry.begin(context).after(null, new BusyException(), context))
                .isEqualTo(Step.again(Duration.ofSeconds(5).toNanos()));
    }

    @Test
    void budgetForTwo() {
        // a tenth of the calls, 1 per second, 20 saved up
        RetryBudget budget =
                RetryBudget.of(b -> b.ratio(0.1).minimumPerSecond(1).maximumSaved(20), TimeSource.system());
        Pipeline<String> reads =
                Pipeline.<String>standard("reads").retryBudget(budget).build();
        Pipeline<String> searches =
                Pipeline.<String>standard("searches").retryBudget(budget).build();

        assertThat(reads.strategy(Retry.class).orElseThrow().budget()).containsSame(budget);
        assertThat(searches.strategy(Retry.class).orElseThrow().budget()).containsSame(budget);
    }
}
