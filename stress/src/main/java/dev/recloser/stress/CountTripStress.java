package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two failures are the last two of two, written to the ring at once: whichever is written last opens the circuit. */
@JCStressTest
@Outcome(id = "OPEN", expect = Expect.ACCEPTABLE, desc = "The trip is not missed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Neither recording saw the other.")
@State
public class CountTripStress {

    private final Circuits circuit = Circuits.counting(2, 2);

    @Actor
    public void first() {
        circuit.end(OutcomeClass.FAILURE);
    }

    @Actor
    public void second() {
        circuit.end(OutcomeClass.FAILURE);
    }

    @Arbiter
    public void state(L_Result result) {
        result.r1 = circuit.breaker.state();
    }
}
