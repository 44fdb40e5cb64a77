package dev.recloser.stress.canary;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads count on a plain field and lose increments; {@link CanaryCheck} wants jcstress to report it. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both increments are there.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An increment is lost.")
@State
public class PlainCounterCanary {

    private int counter;

    @Actor
    public void first() {
        counter++;
    }

    @Actor
    public void second() {
        counter++;
    }

    @Arbiter
    public void total(I_Result result) {
        result.r1 = counter;
    }
}
