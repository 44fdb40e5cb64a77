package dev.recloser.stress;

import dev.recloser.OutcomeClass;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Two recordings at the moment at which a new slice begins: both are counted, once. */
@JCStressTest
@Outcome(id = "3, 1", expect = Expect.ACCEPTABLE, desc = "Each is counted once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One is lost or doubled.")
@State
public class SliceTurnsOverStress {

    private final Circuits circuit = Circuits.closed(1, 100);

    {
        circuit.end(OutcomeClass.SUCCESS);
        circuit.time.advance(Duration.ofSeconds(3));
    }

    @Actor
    public void success() {
        circuit.end(OutcomeClass.SUCCESS);
    }

    @Actor
    public void failure() {
        circuit.end(OutcomeClass.FAILURE);
    }

    @Arbiter
    public void counts(JJ_Result result) {
        result.r1 = circuit.breaker.snapshot().calls();
        result.r2 = circuit.breaker.snapshot().failures();
    }
}
