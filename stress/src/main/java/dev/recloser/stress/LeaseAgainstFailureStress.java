package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A success finds the circuit busy, so that the next ones need no clock, while the first failure ever is recorded: the next success looks all the same. */
@JCStressTest
@Outcome(id = "OPEN", expect = Expect.ACCEPTABLE, desc = "The trip is not missed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The success that completes the condition did not look.")
@State
public class LeaseAgainstFailureStress {

    private final Circuits circuit = Circuits.nearlyBusy(.25, 4);

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
        circuit.end(OutcomeClass.SUCCESS);
        result.r1 = circuit.breaker.state();
    }
}
