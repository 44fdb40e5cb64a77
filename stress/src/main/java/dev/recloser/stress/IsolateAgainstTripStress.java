package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Isolating wins over a trip, whichever comes first. */
@JCStressTest
@Outcome(id = "ISOLATED", expect = Expect.ACCEPTABLE, desc = "Isolated, after or instead of the trip.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The trip undid what was done by hand.")
@State
public class IsolateAgainstTripStress {

    private final Circuits circuit = Circuits.closed(1, 1);

    @Actor
    public void isolate() {
        circuit.breaker.isolate();
    }

    @Actor
    public void trip() {
        circuit.end(OutcomeClass.FAILURE);
    }

    @Arbiter
    public void state(L_Result result) {
        result.r1 = circuit.breaker.state();
    }
}
