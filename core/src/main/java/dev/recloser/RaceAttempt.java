package dev.recloser;

import dev.recloser.time.Countdown;
import org.jspecify.annotations.Nullable;

/** One of the attempts of a call that run beside each other. */
final class RaceAttempt<E extends Execution> {

    /** Which one it is: 0 for the first. */
    final int number;

    final long startNanos;

    /** How long it is waited for before another attempt begins. */
    final long patienceNanos;

    /** Null if that is no time at all, or as long as it takes. */
    final @Nullable Countdown patience;

    /** What there is to cut. Guarded by the race. */
    @Nullable
    E execution;

    private final AttemptRace<E> race;

    RaceAttempt(AttemptRace<E> race, int number, long patienceNanos) {
        this.race = race;
        this.number = number;
        this.startNanos = race.trunk().time().nanoTime();
        this.patienceNanos = patienceNanos;
        this.patience = patienceNanos > 0 ? new Countdown(race.trunk().time(), race::patienceIsOver) : null;
    }

    /**
     * Says what the attempt runs in, before it does anything.
     *
     * @return false if the race is over already, and the attempt must not begin
     */
    boolean runsIn(E own) {
        return race.enter(this, own);
    }

    /** The attempt has come to a result, or did not begin. */
    void end(@Nullable Object result) {
        E own = execution;
        boolean isCutWithTrunk = own != null && own.isTimedOut();
        if (own != null) {
            own.retire();
        }
        race.ended(this, result, isCutWithTrunk);
    }
}
