package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import dev.recloser.spi.Ticket;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LZ_Result;

/** A probe fails after its lease while the next call takes its place: the failure changes nothing, the call is admitted. */
@JCStressTest
@Outcome(id = "HALF_OPEN, true", expect = Expect.ACCEPTABLE, desc = "The next call probes, whoever was first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The lost probe opened the circuit, or kept its place.")
@State
public class LeaseExpiryStress {

    private final Circuits circuit = Circuits.readyToProbe();
    private final Ticket lost = circuit.ticket();

    {
        circuit.time.advance(Circuits.BREAK);
    }

    @Actor
    public void lateFailure() {
        Circuits.end(lost, OutcomeClass.FAILURE);
    }

    @Actor
    public void next(LZ_Result result) {
        result.r2 = circuit.breaker.acquire() instanceof Ticket;
    }

    @Arbiter
    public void state(LZ_Result result) {
        result.r1 = circuit.breaker.state();
    }
}
