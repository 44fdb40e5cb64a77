package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import dev.recloser.spi.Ticket;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;

/** A call asks for admittance while the probe fails: it is rejected, before or after, and the circuit is open for a whole break. */
@JCStressTest
@Outcome(id = "false, OPEN", expect = Expect.ACCEPTABLE, desc = "Rejected, and open.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A second probe ran, or the break was cut short.")
@State
public class AcquireAgainstSettleStress {

    private final Circuits circuit = Circuits.readyToProbe();
    private final Ticket probe = circuit.ticket();

    @Actor
    public void acquire(ZL_Result result) {
        result.r1 = circuit.breaker.acquire() instanceof Ticket;
    }

    @Actor
    public void settle() {
        Circuits.end(probe, OutcomeClass.FAILURE);
    }

    @Arbiter
    public void state(ZL_Result result) {
        result.r2 = circuit.breaker.state();
    }
}
