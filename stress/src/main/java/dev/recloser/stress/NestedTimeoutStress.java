package dev.recloser.stress;

import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LZ_Result;

/** The inner one of two timeouts fires while its call ends, and the call leaves both: one outcome, and no interrupt is left behind. */
@JCStressTest
@Outcome(
        id = {"value, false", "attempt, false"},
        expect = Expect.ACCEPTABLE,
        desc = "The value, or the timeout that fired.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An interrupt was left behind, or the wrong timeout is said to have fired.")
@State
public class NestedTimeoutStress {

    private final VirtualTime time = VirtualTime.create();
    private final Pipeline<String> pipeline = Pipeline.<String>named("raced")
            .time(time)
            .timeout(Duration.ofSeconds(10))
            .as("total")
            .concurrencyLimiter(5)
            .timeout(Duration.ofSeconds(1))
            .as("attempt")
            .build();

    @Actor
    public void call(LZ_Result result) {
        try {
            result.r1 = pipeline.call(() -> "value");
        } catch (TimedOutException e) {
            result.r1 = e.strategy();
        } catch (InterruptedException e) {
            result.r1 = "interrupted";
        }
        result.r2 = Thread.interrupted();
    }

    @Actor
    public void fire() {
        time.advance(Duration.ofSeconds(1));
    }
}
