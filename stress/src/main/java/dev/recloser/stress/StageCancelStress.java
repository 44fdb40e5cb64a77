package dev.recloser.stress;

import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/** The work of a stage succeeds while its caller cancels: the ticket is ended once, and agrees with what the work saw. */
@JCStressTest
@Outcome(id = "false, 1", expect = Expect.ACCEPTABLE, desc = "The work came first and is counted.")
@Outcome(id = "true, 0", expect = Expect.ACCEPTABLE, desc = "The caller came first: nothing is counted.")
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "The work came first, the caller before it was told.")
@Outcome(
        expect = Expect.FORBIDDEN,
        desc = "The caller has a value that was not counted, or the ticket was ended twice.")
@State
public class StageCancelStress {

    private final CompletableFuture<String> work = new CompletableFuture<>();
    private final Pipeline<String> pipeline = Pipeline.<String>named("raced")
            .circuitBreaker(Circuits.closed(1, 100).breaker)
            .build();
    private final CompletableFuture<String> call = pipeline.callAsync(() -> work);

    @Actor
    public void succeed() {
        work.complete("value");
    }

    @Actor
    public void cancel() {
        call.cancel(true);
    }

    @Arbiter
    public void counts(ZJ_Result result) {
        result.r1 = call.isCancelled();
        result.r2 =
                pipeline.strategy(CircuitBreaker.class).orElseThrow().snapshot().calls();
    }
}
