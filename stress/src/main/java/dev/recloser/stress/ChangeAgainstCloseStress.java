package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The rule is changed to open at a single failure while the circuit is being closed: the new rule holds afterwards. */
@JCStressTest
@Outcome(id = "OPEN", expect = Expect.ACCEPTABLE, desc = "A failure opens the circuit.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The closed state kept the old rule.")
@State
public class ChangeAgainstCloseStress {

    private final Circuits circuit = Circuits.closed(1, 2);

    {
        circuit.breaker.isolate();
    }

    @Actor
    public void close() {
        circuit.breaker.close();
    }

    @Actor
    public void change() {
        circuit.breaker.changeSettings(cb -> cb.minimumThroughput(1));
    }

    @Arbiter
    public void oneFailure(L_Result result) {
        circuit.end(OutcomeClass.FAILURE);
        result.r1 = circuit.breaker.state();
    }
}
