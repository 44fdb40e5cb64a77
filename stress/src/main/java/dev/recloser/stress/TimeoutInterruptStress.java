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

/** A blocking call ends while its timeout fires: it has one outcome, and no interrupt is left behind. */
@JCStressTest
@Outcome(
        id = {"value, false", "timed out, false"},
        expect = Expect.ACCEPTABLE,
        desc = "One outcome, no interrupt.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An interrupt came after the call had ended.")
@State
public class TimeoutInterruptStress {

    private final VirtualTime time = VirtualTime.create();
    private final Pipeline<String> pipeline = Pipeline.<String>named("raced")
            .time(time)
            .timeout(Duration.ofSeconds(1))
            .build();

    @Actor
    public void call(LZ_Result result) {
        try {
            result.r1 = pipeline.call(() -> "value");
        } catch (TimedOutException e) {
            result.r1 = "timed out";
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
