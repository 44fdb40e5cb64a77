package dev.recloser.stress;

import dev.recloser.spi.Ticket;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two calls when the break is over: exactly one is the probe. */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true"},
        expect = Expect.ACCEPTABLE,
        desc = "One probe.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Two probes, or none.")
@State
public class OneProbeStress {

    private final Circuits circuit = Circuits.readyToProbe();

    @Actor
    public void first(ZZ_Result result) {
        result.r1 = circuit.breaker.acquire() instanceof Ticket;
    }

    @Actor
    public void second(ZZ_Result result) {
        result.r2 = circuit.breaker.acquire() instanceof Ticket;
    }
}
