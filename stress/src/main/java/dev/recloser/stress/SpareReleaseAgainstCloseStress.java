package dev.recloser.stress;

import dev.recloser.spi.Admittance;
import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A permit is given back, and kept spare, while two calls come for the last ones and call the spare ones in. */
@JCStressTest
@Outcome(id = "true, 0", expect = Expect.ACCEPTABLE, desc = "Both run, at once or when it was given back.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One waits although a permit is free, or a permit is lost or there twice.")
@State
public class SpareReleaseAgainstCloseStress {

    private final SpareLimiter limiter = new SpareLimiter(SpareLimiter.PERMITS - 1, 1);

    private @Nullable Admittance first;
    private @Nullable Admittance second;

    @Actor
    public void release() {
        limiter.release();
    }

    @Actor
    public void come() {
        first = limiter.acquire();
        second = limiter.acquire();
    }

    @Arbiter
    public void atTheEnd(ZI_Result result) {
        result.r1 = runs(first) && runs(second);
        result.r2 = limiter.free();
    }

    private static boolean runs(@Nullable Admittance answer) {
        return (answer instanceof Place place ? place.answer() : answer) instanceof Ticket;
    }
}
