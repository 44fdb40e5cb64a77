package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The circuit is busy, and counts successes without the clock, when the first failure ever and the success that brings the throughput to the minimum meet. */
@JCStressTest
@Outcome(id = "OPEN", expect = Expect.ACCEPTABLE, desc = "The trip is not missed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The success did not look, and the failure did not see it.")
@State
public class SuccessUnderLeaseStress {

    private final Circuits circuit = Circuits.busy(.25, 4);

    @Actor
    public void success() {
        circuit.end(OutcomeClass.SUCCESS);
    }

    @Actor
    public void failure() {
        circuit.end(OutcomeClass.FAILURE);
    }

    @Arbiter
    public void state(L_Result result) {
        result.r1 = circuit.breaker.state();
    }
}
