package dev.recloser.stress;

import dev.recloser.spi.Ticket;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two calls ask for the last permit, which another thread keeps spare: it is found, and exactly one has it. */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true"},
        expect = Expect.ACCEPTABLE,
        desc = "One has it, the other is rejected.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both have it, or none.")
@State
public class SpareLastPermitStress {

    private final SpareLimiter limiter = new SpareLimiter(SpareLimiter.PERMITS - 1, 0);

    @Actor
    public void first(ZZ_Result result) {
        result.r1 = limiter.acquire() instanceof Ticket;
    }

    @Actor
    public void second(ZZ_Result result) {
        result.r2 = limiter.acquire() instanceof Ticket;
    }
}
