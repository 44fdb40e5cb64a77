package dev.recloser.stress;

import dev.recloser.Pipeline;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** One of two attempts succeeds while the other fails: the call has the success, and both permits are back. */
@JCStressTest
@Outcome(id = "true, 0, 2", expect = Expect.ACCEPTABLE, desc = "The success counts.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The failure won, a permit is out, or a third attempt began.")
@State
public class HedgeWinStress {

    private final VirtualTime time = VirtualTime.create();
    private final List<CompletableFuture<String>> attempts = new ArrayList<>();
    private final ConcurrencyLimiter limiter = ConcurrencyLimiter.of("limiter", 5);
    private final Pipeline<String> pipeline = Pipeline.<String>named("raced")
            .time(time)
            .hedging(hedging -> hedging.delay(Duration.ofSeconds(1)))
            .strategy(limiter)
            .build();
    private final CompletableFuture<String> call = pipeline.callAsync(this::attempt);

    public HedgeWinStress() {
        time.advance(Duration.ofSeconds(1));
    }

    private synchronized CompletableFuture<String> attempt() {
        CompletableFuture<String> attempt = new CompletableFuture<>();
        attempts.add(attempt);
        return attempt;
    }

    @Actor
    public void succeed() {
        attempts.get(0).complete("value");
    }

    @Actor
    public void fail() {
        attempts.get(1).completeExceptionally(new IOException());
    }

    @Arbiter
    public void outcome(ZII_Result result) {
        result.r1 = "value".equals(call.getNow("none"));
        result.r2 = limiter.snapshot().inFlight();
        result.r3 = attempts.size();
    }
}
