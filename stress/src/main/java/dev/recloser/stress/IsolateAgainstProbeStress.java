package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import dev.recloser.spi.Ticket;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Isolating wins over a probe that closes the circuit at the same moment. */
@JCStressTest
@Outcome(id = "ISOLATED", expect = Expect.ACCEPTABLE, desc = "Isolated, after or instead of the closing.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The probe undid what was done by hand.")
@State
public class IsolateAgainstProbeStress {

    private final Circuits circuit = Circuits.readyToProbe();
    private final Ticket probe = circuit.ticket();

    @Actor
    public void isolate() {
        circuit.breaker.isolate();
    }

    @Actor
    public void success() {
        Circuits.end(probe, OutcomeClass.SUCCESS);
    }

    @Arbiter
    public void state(L_Result result) {
        result.r1 = circuit.breaker.state();
    }
}
