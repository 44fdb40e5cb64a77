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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A call asks while the only permit is given back: it has the permit, at once or from the queue, and nobody is left waiting. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The call got the permit.")
@Outcome(expect = Expect.FORBIDDEN, desc = "It waits for a permit that is free, or the permit is doubled.")
@State
public class ReleaseAgainstEnqueueStress {

    private final Limiters limiters = new Limiters();
    private final Ticket holder = limiters.ticket();

    @Nullable
    private Admittance answer;

    @Actor
    public void giveBack() {
        Limiters.end(holder);
    }

    @Actor
    public void ask() {
        answer = limiters.acquire();
    }

    @Arbiter
    public void outcome(ZZ_Result result) {
        Admittance seen = answer instanceof Place place ? place.answer() : answer;
        if (seen instanceof Ticket ticket) {
            result.r1 = true;
            Limiters.end(ticket);
        }
        result.r2 = limiters.isFree();
    }
}
