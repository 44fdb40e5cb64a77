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
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Two calls ask for the last permit of a rate limiter: exactly one of them gets it, and the other one is counted as rejected. */
@JCStressTest
@Outcome(
        id = {"true, false, 1", "false, true, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "The permit has one owner.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The permit is lost or doubled.")
@State
public class RateLastPermitStress {

    private static final CallContext CALL = CallContext.named("stress");

    private final RateLimiter limiter =
            RateLimiter.of("raced", r -> r.tokenBucket(1, Duration.ofMinutes(1)), VirtualTime.create());

    @Actor
    public void one(ZZJ_Result result) {
        result.r1 = limiter.acquire(CALL) instanceof Ticket;
    }

    @Actor
    public void other(ZZJ_Result result) {
        result.r2 = limiter.acquire(CALL) instanceof Ticket;
    }

    @Arbiter
    public void count(ZZJ_Result result) {
        result.r3 = limiter.snapshot().rejected();
    }
}
