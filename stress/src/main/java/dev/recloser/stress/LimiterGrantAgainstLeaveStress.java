package dev.recloser.stress;

import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A permit is given back while the only waiter leaves: it is granted or free, and whoever waited is told which. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The waiter left, and the permit is free.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The waiter was granted the permit, and gave it back.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The permit is lost or doubled.")
@State
public class LimiterGrantAgainstLeaveStress {

    private final Limiters limiters = new Limiters();
    private final Ticket holder = limiters.ticket();
    private final Place waiter = limiters.place();

    @Actor
    public void giveBack() {
        Limiters.end(holder);
    }

    @Actor
    public void leave(ZZ_Result result) {
        result.r1 = waiter.leave();
        if (waiter.answer() instanceof Ticket granted) {
            Limiters.end(granted);
        }
    }

    @Arbiter
    public void permit(ZZ_Result result) {
        result.r2 = limiters.isFree();
    }
}
