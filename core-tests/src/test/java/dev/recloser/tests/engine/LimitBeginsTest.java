package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A blocking call keeps the reading of the clock with which it entered a timeout, and goes by it when time has passed since. */
@Timeout(60)
class LimitBeginsTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final VirtualTime clock = VirtualTime.selfAdvancing();
    private final List<Optional<Duration>> left = new ArrayList<>();

    private String failTwice(CallContext context, Duration takes) throws Exception {
        synchronized (left) {
            left.add(context.remaining());
        }
        if (left.size() == 3) {
            return "fine";
        }
        clock.sleep(takes.toNanos());
        throw new IOException();
    }

    @Test
    void everyAttemptHasTheWholeOfItsDetachedTimeout() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(clock)
                .retry(r -> r.constantDelay(Duration.ZERO).withoutBudget())
                .timeout(t -> t.limit(LIMIT).detached())
                .build();
        String value = pipeline.call((CallContext context) -> failTwice(context, Duration.ofMillis(400)));
        assertThat(left).containsExactly(Optional.of(LIMIT), Optional.of(LIMIT), Optional.of(LIMIT));
        assertThat(value).isEqualTo("fine");
    }

    @Test
    void everyAttemptHasTheWholeOfItsTimeoutAroundHedging() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(clock)
                .retry(r -> r.constantDelay(Duration.ZERO).withoutBudget())
                .timeout(LIMIT)
                .hedging(h -> h.maxHedges(1)
                        .delay(Duration.ofSeconds(30))
                        .budget(dev.recloser.RetryBudget.of(
                                b -> b.ratio(0).minimumPerSecond(0).maximumSaved(1), clock)))
                .build();
        String value = pipeline.call((CallContext context) -> failTwice(context, Duration.ofMillis(400)));
        assertThat(value).isEqualTo("fine");
        // The first failure is followed by the one hedge that the budget allows, within the same timeout.
        assertThat(left).containsExactly(Optional.of(LIMIT), Optional.of(Duration.ofMillis(600)), Optional.of(LIMIT));
    }

    @Test
    void timeoutIsEnteredAnewAfterAnAttemptThatWasRejected() throws Exception {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of("l", 1);
        CompletableFuture<String> held = Pipeline.<String>named("holder")
                .time(clock)
                .strategy(limiter)
                .build()
                .callAsync(CompletableFuture::new);
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(clock)
                .retry(r -> r.handle(LimitReachedException.class)
                        .constantDelay(Duration.ofSeconds(2))
                        .withoutBudget())
                .timeout(LIMIT)
                .strategy(limiter)
                .build();
        pipeline.addListener(event -> {
            if (!event.delay().isZero()) {
                held.cancel(true);
            }
        });
        String value = pipeline.call((CallContext context) -> {
            left.add(context.remaining());
            return "fine";
        });
        assertThat(left).containsExactly(Optional.of(LIMIT));
        assertThat(value).isEqualTo("fine");
    }
}
