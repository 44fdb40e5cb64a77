package dev.recloser.stress;

import dev.recloser.Pipeline;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** The first attempt fails at the moment at which it has been waited for long enough: one hedge begins, not two. */
@JCStressTest
@Outcome(id = "false, 2, 0", expect = Expect.ACCEPTABLE, desc = "One hedge runs, and nothing waits for it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Two hedges, or none.")
@State
public class HedgeAgainstFailureStress {

    private final VirtualTime time = VirtualTime.create();
    private final AtomicInteger begun = new AtomicInteger();
    private final CompletableFuture<String> first = new CompletableFuture<>();
    private final Pipeline<String> pipeline = Pipeline.<String>named("raced")
            .time(time)
            .hedging(hedging -> hedging.delay(Duration.ofSeconds(1)))
            .build();
    private final CompletableFuture<String> call =
            pipeline.callAsync(() -> begun.incrementAndGet() == 1 ? first : new CompletableFuture<>());

    @Actor
    public void fail() {
        first.completeExceptionally(new IOException());
    }

    @Actor
    public void wear() {
        time.advance(Duration.ofSeconds(1));
    }

    @Arbiter
    public void outcome(ZII_Result result) {
        result.r1 = call.isDone();
        result.r2 = begun.get();
        result.r3 = time.pendingAlarms();
    }
}
