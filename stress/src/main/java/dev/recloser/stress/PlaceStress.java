package dev.recloser.stress;

import dev.recloser.spi.Place;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A place is granted while its holder leaves it: exactly one of them is told that it succeeded. */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true"},
        expect = Expect.ACCEPTABLE,
        desc = "The permit has one owner.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The permit is lost or doubled.")
@State
public class PlaceStress {

    private final Place place = new Place();

    @Actor
    public void grant(ZZ_Result result) {
        result.r1 = place.grant(Circuits.closed(1, 1).ticket());
    }

    @Actor
    public void leave(ZZ_Result result) {
        result.r2 = place.leave();
    }
}
