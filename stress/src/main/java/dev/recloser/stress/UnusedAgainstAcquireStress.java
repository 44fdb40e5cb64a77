package dev.recloser.stress;

import dev.recloser.CallContext;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.spi.Ticket;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** The only permit of a rate limiter is given back, while another call asks for it. */
@JCStressTest
@Outcome(
        id = {"true, 0", "false, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "The other call has the permit, or it came too early and the permit is free.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The permit is lost or doubled.")
@State
public class UnusedAgainstAcquireStress {

    private static final CallContext CALL = CallContext.named("stress");

    private final RateLimiter limiter =
            RateLimiter.of("raced", r -> r.slidingWindow(1, Duration.ofMinutes(1)), VirtualTime.create());
    private final Ticket held = (Ticket) limiter.acquire(CALL);

    @Actor
    public void giveBack() {
        held.unused();
    }

    @Actor
    public void acquire(ZI_Result result) {
        result.r1 = limiter.acquire(CALL) instanceof Ticket;
    }

    @Arbiter
    public void count(ZI_Result result) {
        result.r2 = limiter.snapshot().available();
    }
}
