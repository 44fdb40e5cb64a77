package dev.recloser.stress;

import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** After the limit was reached, the load has fallen to half: two calls end, and one comes, while spare permits are allowed again. */
@JCStressTest
@Outcome(id = "true, 8", expect = Expect.ACCEPTABLE, desc = "The call runs, and all others are free.")
@Outcome(
        expect = Expect.FORBIDDEN,
        desc = "A call is held up although permits are free, or one is lost or there twice.")
@State
public class SpareReopenStress {

    private final SpareLimiter limiter = new SpareLimiter(SpareLimiter.PERMITS - 1, 1);

    private boolean runs;

    public SpareReopenStress() {
        limiter.acquire();
        ((Place) limiter.acquire()).leave();
        for (int taken = SpareLimiter.PERMITS; taken > SpareLimiter.PERMITS / 2 + 1; taken--) {
            limiter.release();
        }
    }

    @Actor
    public void end() {
        limiter.release();
        limiter.release();
    }

    @Actor
    public void come() {
        runs = limiter.acquire() instanceof Ticket;
    }

    @Arbiter
    public void atTheEnd(ZI_Result result) {
        result.r1 = runs;
        result.r2 = limiter.free();
    }
}
