package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import dev.recloser.spi.Ticket;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LJ_Result;

/** An outcome of a closed state while the circuit opens and is closed again by hand: it is never counted in the new window. */
@JCStressTest
@Outcome(id = "CLOSED, 0", expect = Expect.ACCEPTABLE, desc = "Counted before, or late.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An outcome moved a state that did not admit it.")
@State
public class SettleAgainstTransitionStress {

    private final Circuits circuit = Circuits.closed(1, 1);
    private final Ticket old = circuit.ticket();

    @Actor
    public void transitions() {
        circuit.breaker.isolate();
        circuit.breaker.close();
    }

    @Actor
    public void settle() {
        Circuits.end(old, OutcomeClass.FAILURE);
    }

    @Arbiter
    public void state(LJ_Result result) {
        result.r1 = circuit.breaker.state();
        result.r2 = circuit.breaker.snapshot().calls();
    }
}
